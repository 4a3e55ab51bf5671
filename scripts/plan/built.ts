/** The plans of both editions as files: `generated/mock/<edition>.js`, made of the committed bundles and the registers. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleFile, type Edition, editions, projectRoot } from "../contract/index.ts";
import type { Source } from "../mock/answer/answer.ts";
import { compiledEngine } from "../mock/answer/engine.ts";
import type { Plan } from "../mock/plan/plan.ts";
import { filesAt, planMakers } from "./makers.ts";
import { readBundle } from "./read-bundle.ts";

/** What a plan is made of, besides the bundles. */
const registers = ["extensions", "resources", "scenario", "mock"].map((name) => `openapi/${name}.yaml`);

/** Absolute path of the module of an edition. */
export function planFile(edition: Edition): string {
  return `${projectRoot}/generated/mock/${edition}.js`;
}

/**
 * The plan of an edition, as the build has written it. One that is missing, or made of something else than what is there now,
 * is made first, which takes seconds.
 *
 * @throws {UsageError} when the bundle is missing.
 */
export async function builtSource(edition: Edition): Promise<Source> {
  await buildPlan(edition);
  const { plan } = (await import(pathToFileURL(planFile(edition)).href)) as { plan: Plan };
  return { plan, engine: compiledEngine };
}

/**
 * Writes the module of an edition unless it is up to date.
 *
 * @returns whether it was written.
 * @throws {UsageError} when the bundle or a register cannot be read.
 */
export async function buildPlan(edition: Edition): Promise<boolean> {
  const mark = `// ${hashOf(edition)}\n`;
  const file = planFile(edition);
  if (existsSync(file) && readFileSync(file, "utf8").startsWith(mark)) return false;
  // What compiles takes a second to load.
  const { makePlan } = await import("./make-plan.ts");
  const { readPlanRegisters } = await import("./registers.ts");
  const { Sources } = await import("../sources/index.ts");
  const others = Object.fromEntries(editions.map((other) => [other, readBundle(other)]));
  const source = { edition, document: readBundle(edition), registers: readPlanRegisters(new Sources()), others };
  const { code } = await makePlan(source);
  write(file, mark + code);
  write(file.replace(/\.js$/, ".d.ts"), declarations);
  return true;
}

const declarations = `import type { Plan } from "../mock/plan/plan.ts";\n\nexport declare const plan: Plan;\n`;

/** Renamed into place, since another process may read it at this moment. */
function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}.new`;
  writeFileSync(fresh, text);
  renameSync(fresh, file);
}

/** Of the texts of everything that the plan is made of. */
function hashOf(edition: Edition): string {
  const hash = createHash("sha256").update(edition);
  const bundles = editions.map((other) => bundleFile(other, "json"));
  const paths = [...registers, ...planMakers.flatMap(filesAt)].map((path) => `${projectRoot}/${path}`);
  for (const path of [...bundles, ...paths]) {
    hash.update(path.slice(projectRoot.length)).update(existsSync(path) ? readFileSync(path) : "");
  }
  return hash.digest("hex");
}
