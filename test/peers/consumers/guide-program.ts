/** Runs programs of the guides that need a server, a queue or a database, which the test supplies. */
import { readFileSync } from "node:fs";
import { projectRoot } from "../../../scripts/contract/model/index.ts";

/**
 * Runs the program in a guide that contains a text.
 *
 * @param given the program's imports, and the values that the guide leaves to the reader, by name.
 * @param made the name of the program's constant to return.
 */
export function runProgram(guide: string, text: string, given: Record<string, unknown>, made: string): unknown {
  const source = readFileSync(`${projectRoot}/openapi/guides/${guide}.md`, "utf8");
  const programs = [...source.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  const program = programs.find((code) => code.includes(text))?.replace(/^import .*\n/gm, "");
  if (program === undefined) throw new Error(`The guide ${guide} has no program with ${text}.`);
  return new Function(...Object.keys(given), `${program}\nreturn ${made};`)(...Object.values(given));
}
