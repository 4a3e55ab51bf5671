/**
 * Runs the journeys of `openapi/journeys/` with Redocly Respect, which sends the requests and validates the responses.
 *
 * Redocly Respect 2.77 requires of a journey: every call that can have a body has one (otherwise Respect sends an example); a JSONPath
 * starts with `$..` (Respect wraps the response in an array); of three comparisons, all but the first are in parentheses (of `a && b && c`,
 * Respect ignores the last).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { projectRoot } from "../../../scripts/base/index.ts";
import { run, withTemporaryFolder } from "../../../scripts/tools/processes/index.ts";

const redoclyCommand = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");
const environment = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };

export function journeyFiles(folder = `${projectRoot}/openapi/journeys`): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".arazzo.yaml"));
  return names.sort().map((name) => join(folder, name));
}

export interface JourneyService {
  readonly url: string;
  readonly depositUrl: string;
  /** An API key that has no world yet: in a world where the journeys have run before, their users exist already. */
  readonly apiKey: string;
}

export interface JourneyResult {
  readonly workflowId: string;
  readonly steps: number;
  readonly findings: readonly string[];
}

/** Wrong findings: Redocly Respect 2.77 reports properties that are declared beside a `then` as unevaluated. */
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

export async function runJourneys(
  files: readonly string[],
  service: JourneyService,
  { continuesAfterFailure = false }: { continuesAfterFailure?: boolean } = {},
): Promise<JourneyResult[]> {
  return withTemporaryFolder("journeys-", async (folder) => {
    const output = join(folder, "log.json");
    const servers = Object.entries({ contract: service.url, deposits: service.depositUrl, mock: service.url });
    const args = [
      ...["respect", ...files, "--input", `apiKey=${service.apiKey}`, "--json-output", output],
      // Warnings become findings, but do not stop the journey.
      ...["--severity", continuesAfterFailure ? "SCHEMA_CHECK=warn,SUCCESS_CRITERIA_CHECK=warn" : "SCHEMA_CHECK=warn"],
      ...servers.flatMap(([name, url]) => ["--server", `${name}=${url}`]),
    ];
    try {
      await run(process.execPath, [redoclyCommand, ...args], { cwd: folder, env: environment });
    } catch (error) {
      // The command also fails after a failed journey; the log then has the details.
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

/** The other lines contain the response, which may include personal data. */
function firstLine(message: string): string {
  return message.trim().split("\n")[0] ?? "";
}

export async function lintJourneys(files: readonly string[]): Promise<void> {
  const paths = files.map((file) => relative(projectRoot, file));
  const args = ["lint", ...paths, "--format", "stylish"];
  await run(process.execPath, [redoclyCommand, ...args], { cwd: projectRoot, env: environment });
}
