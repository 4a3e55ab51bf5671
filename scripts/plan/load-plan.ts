/** The compiled plan of a bundle, kept between runs. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { projectRoot } from "../contract/index.ts";
import type { Plan } from "../mock/plan/plan.ts";
import { filesAt, planMakers } from "./makers.ts";
import type { PlanSource } from "./plan-data.ts";

const cacheFolder = `${projectRoot}/node_modules/.cache/mock-plans`;

/** How many plans are kept. */
const mostPlans = 8;

/**
 * The plan of a bundle, with its validators. It is made when the bundle, the registers or what makes plans has changed.
 *
 * @throws when the document cannot be loaded.
 */
export async function loadPlan(source: PlanSource): Promise<Plan> {
  const file = `${cacheFolder}/${hashOf(source)}.mjs`;
  if (!existsSync(file)) await writePlan(file, source);
  const { plan } = (await import(pathToFileURL(file).href)) as { plan: Plan };
  return plan;
}

async function writePlan(file: string, source: PlanSource): Promise<void> {
  // What compiles takes a second to load.
  const { makePlan } = await import("./make-plan.ts");
  const { code } = await makePlan(source);
  mkdirSync(cacheFolder, { recursive: true });
  removeOldest();
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, code);
  // Renamed into place, since another process may look for it at this moment.
  renameSync(fresh, file);
}

function removeOldest(): void {
  const files = readdirSync(cacheFolder)
    .map((name) => `${cacheFolder}/${name}`)
    .sort((a, b) => timeOf(b) - timeOf(a));
  for (const file of files.slice(mostPlans - 1)) rmSync(file, { force: true });
}

function timeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function hashOf({ edition, document, registers, others = {} }: PlanSource): string {
  const hash = createHash("sha256").update(JSON.stringify([edition, document, others]));
  const { conditions, resources, scenario, assumptions } = registers;

  hash.update(
    JSON.stringify([conditions, resources, scenario, assumptions], (key, value) =>
      key === "place" ? undefined : value,
    ),
  );
  for (const path of planMakers.flatMap(filesAt)) hash.update(path).update(readFileSync(`${projectRoot}/${path}`));
  return hash.digest("hex").slice(0, 32);
}
