/** Programs of the guides that are not run as they stand: the reader gives them a server, a queue or a database, and so does a test. */
import { readFileSync } from "node:fs";
import { projectRoot } from "../../../scripts/contract/model/index.ts";

/**
 * Runs the program of a guide that holds a text.
 *
 * @param given what the program imports, and what the guide leaves to the reader, by name.
 * @param made the constant of the program that is returned.
 */
export function runProgram(guide: string, text: string, given: Record<string, unknown>, made: string): unknown {
  const source = readFileSync(`${projectRoot}/openapi/guides/${guide}.md`, "utf8");
  const programs = [...source.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  const program = programs.find((code) => code.includes(text))?.replace(/^import .*\n/gm, "");
  if (program === undefined) throw new Error(`The guide ${guide} has no program with ${text}.`);
  return new Function(...Object.keys(given), `${program}\nreturn ${made};`)(...Object.values(given));
}
