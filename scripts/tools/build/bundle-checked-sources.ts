import { type Edition, UsageError } from "../../base/index.ts";
import type { Bundle } from "../../contract/bundle/index.ts";
import type { Sources } from "../../contract/sources/index.ts";

/**
 * Lints only after an exception: bundling expects a contract without errors, and its exceptions do not name the place of an error.
 *
 * @throws {UsageError} if the contract cannot be bundled, with the errors that lint finds.
 * @throws any other exception unchanged, if lint finds no error.
 */
export async function bundleCheckedSources(sources: Sources): Promise<Record<Edition, Bundle>> {
  const { bundleEditions } = await import("../../contract/bundle/index.ts");
  try {
    return await bundleEditions(sources);
  } catch (error) {
    if (!(error instanceof UsageError)) await assertNoLintErrors(sources, { cause: error });
    throw error;
  }
}

/** @throws {UsageError} with the errors that lint finds. */
export async function assertNoLintErrors(sources: Sources, options?: ErrorOptions): Promise<void> {
  const { errorsIn, formatFindings, lintContract } = await import("../../lint/index.ts");
  const errors = errorsIn((await lintContract({ sources })).findings);
  if (errors.length === 0) return;
  throw new UsageError(`${formatFindings(errors)}\nCorrect the contract.`, 1, options);
}
