/** The paths that events go to in an edition, and what is said of a webhook that has none. */
import type { Plan } from "../plan/plan.ts";
import type { Target } from "./target.ts";

export interface PathsOptions {
  readonly plan: Pick<Plan, "edition" | "webhooks">;
  /** The edition whose paths are known; that of the plan where it is left out. */
  readonly edition?: string | undefined;
  /** Told of each webhook that has a target but no path, unless it is one of `toldWebhooks`. */
  readonly onNote?: ((note: string) => void) | undefined;
  /** The webhooks that were told of. */
  readonly toldWebhooks?: Set<string> | undefined;
}

export class Paths {
  readonly #options: PathsOptions;
  readonly #edition: string;
  readonly #told: Set<string>;

  constructor(options: PathsOptions) {
    const { plan, edition = plan.edition, toldWebhooks = new Set() } = options;
    this.#options = options;
    this.#edition = edition;
    this.#told = toldWebhooks;
  }

  /** The path of a webhook below that of the URL: that of the target, or that of the edition; empty where neither has one. */
  of(name: string, target: Target | undefined): string {
    const known = this.#options.plan.webhooks.find((webhook) => webhook.name === name);
    return target?.paths?.[name] || (known?.pathEditions.includes(this.#edition) ? known.path : "");
  }

  /** Why a webhook without a path is not delivered, and what to do. */
  problemOf(name: string): string {
    return `${name} is not delivered: the edition ${this.#edition} knows no path for it. Give one: --path ${name}=/…, or paths of the target.`;
  }

  /** Says so, once for each webhook. @returns the reason. */
  tell(name: string): string {
    const problem = this.problemOf(name);
    if (!this.#told.has(name)) this.#options.onNote?.(problem);
    this.#told.add(name);
    return problem;
  }
}
