import { readFileSync } from "node:fs";
import { projectRoot } from "../../../scripts/contract/model/index.ts";

/** Runs the first program of a guide that contains `text`. Returns the value of the program's constant with the name `made`. */
export function runProgram(guide: string, text: string, given: Record<string, unknown>, made: string): unknown {
  const source = readFileSync(`${projectRoot}/openapi/guides/${guide}.md`, "utf8");
  const programs = [...source.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  const program = programs.find((code) => code.includes(text))?.replace(/^import .*\n/gm, "");
  if (program === undefined) throw new Error(`The guide ${guide} has no program with ${text}.`);
  return new Function(...Object.keys(given), `${program}\nreturn ${made};`)(...Object.values(given));
}
