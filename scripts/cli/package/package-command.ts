import type { Plan } from "../../mock/plan/index.ts";

export interface PackageCommand {
  readonly text: string;
  /** @returns the exit code; undefined if the command keeps running as a server. */
  readonly run: (
    args: readonly string[],
    context: { readonly usage: string; readonly loadPlan: () => Promise<Plan> },
  ) => Promise<number | undefined>;
}
