/** `npm run mock`: the command of the package, with the plan of this repository. */
import { readFileSync } from "node:fs";
import { type Edition, projectRoot } from "../contract/index.ts";
import type { Source } from "../mock/answer/answer.ts";
import type { Arguments } from "../mock/command/arguments.ts";
import { runMockCommand } from "../mock/command/mock.ts";

const engineOption = {
  name: "engine",
  value: "NAME",
  text: "what judges requests: the compiled plan, or prism, which it was made with",
  choices: ["compiled", "prism"],
  otherwise: "compiled",
};

async function loadSource(edition: Edition, given: Arguments): Promise<Source> {
  const { builtSource, prismSource, readBundle, readPlanRegisters } = await import("../plan/index.ts");
  const built = await builtSource(edition);
  if (given.get("engine")?.[0] !== "prism") return built;
  const { Sources } = await import("../sources/index.ts");
  const registers = readPlanRegisters(new Sources());
  // The validators of the plan still check what the mock answers.
  return { ...built, engine: (await prismSource({ edition, document: readBundle(edition), registers })).engine };
}

function versionOf(): string {
  return (JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8")) as { version: string }).version;
}

const code = await runMockCommand(process.argv.slice(2), {
  usage: "npm run mock --",
  versionOf,
  more: [engineOption],
  loadSource,
});
if (code !== undefined) process.exitCode = code;
