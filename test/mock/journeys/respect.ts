/**
 * Runs the journeys of `openapi/journeys/` with Redocly Respect, which sends every request and judges every response.
 *
 * What Redocly Respect 2.77 needs of a journey: a body in every call that can have one (otherwise it sends an example), `$..`
 * at the start of a JSONPath (it puts the response into an array first), and parentheses around all but the first of three
 * comparisons (of `a && b && c` it forgets the last).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { projectRoot } from "../../../scripts/contract/model/index.ts";
import { run, withTemporaryFolder } from "../../../scripts/tools/verify/processes.ts";

const redoclyCommand = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");
const environment = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };

/** The absolute paths of all journeys. */
export function journeyFiles(folder = `${projectRoot}/openapi/journeys`): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".arazzo.yaml"));
  return names.sort().map((name) => join(folder, name));
}

/** Where the service is that the journeys are run against. */
export interface JourneyService {
  readonly url: string;
  readonly depositUrl: string;
  /** One that has no world yet: a journey creates users, which can be done once. */
  readonly apiKey: string;
}

export interface JourneyResult {
  readonly workflowId: string;
  /** How many steps were carried out; a journey ends with the first that fails. */
  readonly steps: number;
  /** Each check that failed, with its step. */
  readonly findings: readonly string[];
}

/**
 * What Redocly Respect 2.77 finds without a reason. It forbids properties that a schema does not name, and forgets in the `then`
 * of a schema those that stand beside it.
 */
const knownFindings = [
  'cryptoDeposit readDeposit: schema check: UNEVALUATEDPROPERTIES must NOT have unevaluated properties: "externalId".',
];

interface Log {
  files: Record<string, { executedWorkflows: { workflowId: string; executedSteps: LoggedStep[] }[] }>;
}

interface LoggedStep {
  stepId: string;
  checks: { name: string; passed: boolean; message: string }[];
}

/**
 * Runs journeys, all of them in one process and one after the other.
 *
 * @param files absolute paths.
 * @param options `goesOn`: a journey goes on after a criterion that does not hold; otherwise it ends there.
 * @returns a result for each journey. One that could not be carried out has findings.
 * @throws {UsageError} with what Respect printed, when it cannot even begin.
 */
export async function runJourneys(
  files: readonly string[],
  service: JourneyService,
  { goesOn = false }: { goesOn?: boolean } = {},
): Promise<JourneyResult[]> {
  return withTemporaryFolder("journeys-", async (folder) => {
    const output = join(folder, "log.json");
    const servers = Object.entries({ contract: service.url, deposits: service.depositUrl, mock: service.url });
    const args = [
      ...["respect", ...files, "--input", `apiKey=${service.apiKey}`, "--json-output", output],
      // A warning is a finding all the same, but the journey goes on.
      ...["--severity", goesOn ? "SCHEMA_CHECK=warn,SUCCESS_CRITERIA_CHECK=warn" : "SCHEMA_CHECK=warn"],
      ...servers.flatMap(([name, url]) => ["--server", `${name}=${url}`]),
    ];
    try {
      await run(process.execPath, [redoclyCommand, ...args], { cwd: folder, env: environment });
    } catch (error) {
      // It fails when a journey fails, which its log tells better.
      if (!existsSync(output)) throw error;
    }
    return readLog(JSON.parse(readFileSync(output, "utf8")) as Log);
  });
}

function readLog({ files }: Log): JourneyResult[] {
  return Object.values(files).flatMap(({ executedWorkflows }) =>
    executedWorkflows.map(({ workflowId, executedSteps }) => ({
      workflowId,
      steps: executedSteps.length,
      findings: executedSteps
        .flatMap(({ stepId, checks }) => checks.map((check) => ({ ...check, stepId })))
        .filter(({ passed }) => !passed)
        .map(({ stepId, name, message }) => `${workflowId} ${stepId}: ${name}: ${firstLine(message)}`)
        .filter((finding) => !knownFindings.includes(finding)),
    })),
  );
}

/** The rest shows the response, which may hold personal data. */
function firstLine(message: string): string {
  return message.trim().split("\n")[0] ?? "";
}

/**
 * Checks journeys with the rules of redocly.yaml.
 *
 * @param files absolute paths.
 * @throws {UsageError} with what Redocly found.
 */
export async function lintJourneys(files: readonly string[]): Promise<void> {
  const paths = files.map((file) => relative(projectRoot, file));
  const args = ["lint", ...paths, "--format", "stylish"];
  await run(process.execPath, [redoclyCommand, ...args], { cwd: projectRoot, env: environment });
}
