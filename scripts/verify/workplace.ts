/** What an environment is, and what it is given to work with. */
import { runConsumer } from "./package.ts";

export interface Environment {
  /** How the output names it. */
  readonly name: string;
  /** npm packages with exact versions, installed beside the packed package. */
  readonly packages: readonly string[];
  /**
   * Tries the package there.
   *
   * @returns a few words on what was done.
   * @throws {UsageError} when the package does not work there.
   */
  readonly check: (workplace: Workplace) => Promise<string>;
}

/** What an environment is given to work with. */
export interface Workplace {
  /** Absolute path of a project with the programs of `test/consumer`, the package and those of the environment. */
  readonly project: string;
  /** Absolute path of the packed package. */
  readonly tarball: string;
  /** MAIN_URL and DEPOSIT_URL of the mock, and variables that keep tools from sending telemetry. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Posts webhooks to a receiver.
 *
 * @param origin where it listens, for example `http://127.0.0.1:4010`.
 * @throws {UsageError} when it does not answer as it should.
 */
export async function deliverWebhooks({ project, env }: Workplace, origin: string): Promise<void> {
  await runConsumer(process.execPath, ["deliver.mjs"], { cwd: project, env: { ...env, ORIGIN: origin } });
}

/**
 * Uses a partner's backend: its routes that call the service, and its receivers of webhooks.
 *
 * @param origin where it listens.
 * @param mounted the paths under which receivers are mounted.
 * @throws {UsageError} when it does not answer as it should.
 */
export async function visitBackend(
  { project, env }: Workplace,
  origin: string,
  mounted: readonly string[] = [""],
): Promise<void> {
  const visitor = { ...env, ORIGIN: origin, MOUNTED: mounted.join(" ") };
  await runConsumer(process.execPath, ["visit.mjs"], { cwd: project, env: visitor });
}
