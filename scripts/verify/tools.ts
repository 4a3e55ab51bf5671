/** Tools that judge the packed package: its fields, its entry points and its types. */
import { typeCheck } from "./package.ts";
import { run } from "./processes.ts";
import { versions } from "./versions.ts";
import type { Environment, Workplace } from "./workplace.ts";

export const tools: readonly Environment[] = [
  { name: "publint", packages: [`publint@${versions.publint}`], check: checkWithPublint },
  { name: "attw", packages: [`@arethetypeswrong/cli@${versions.attw}`], check: checkWithAttw },
  { name: "ts 7", packages: [`typescript@${versions.typescript}`], check: ({ project }) => typeCheck(project, "tsc") },
];

/** Whether the fields of package.json lead to files of the kind that they promise. */
async function checkWithPublint({ project, tarball, env }: Workplace): Promise<string> {
  await run("publint", ["run", tarball, "--strict"], { cwd: project, env });
  return `publint ${versions.publint} --strict has nothing to say`;
}

/** Whether every entry point is found, in every way of resolving modules, with types that describe its JavaScript. */
async function checkWithAttw({ project, tarball, env }: Workplace): Promise<string> {
  // No resolution finds types for YAML.
  const documents = ["openapi.yaml", "openapi.test.yaml", "mock-control.yaml"];
  const options = ["--format", "ascii", "--exclude-entrypoints", ...documents];
  await run("attw", [tarball, ...options], { cwd: project, env });
  return `are-the-types-wrong ${versions.attw} finds nothing (Node 10, Node 16 and newer, bundlers; no rule ignored)`;
}
