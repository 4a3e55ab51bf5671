import { readFileSync } from "node:fs";
import { projectRoot } from "../../../scripts/base/index.ts";

/** Runs the first JavaScript program of the guide that contains `text`. @returns the value of the expression after the program. */
export function runProgram(
  guide: string,
  text: string,
  variables: Record<string, unknown>,
  resultExpression: string,
): unknown {
  const source = readFileSync(`${projectRoot}/openapi/guides/${guide}.md`, "utf8");
  const programs = [...source.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  const program = programs.find((code) => code.includes(text))?.replace(/^import .*\n/gm, "");
  if (program === undefined) throw new Error(`The guide ${guide} has no program with ${text}.`);
  return new Function(...Object.keys(variables), `${program}\nreturn ${resultExpression};`)(
    ...Object.values(variables),
  );
}
