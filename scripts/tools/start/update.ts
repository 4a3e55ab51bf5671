import { setTimeout } from "node:timers/promises";
import type { Edition } from "../../base/index.ts";
import type { Bundle } from "../../contract/bundle/index.ts";
import type { Sources } from "../../contract/sources/index.ts";
import { planOf, readPlanRegisters } from "../../mock/make-plan/index.ts";
import type { Plan } from "../../mock/plan/index.ts";
import { guideProblems, planSite } from "../../site/index.ts";
import { bundleCheckedSources, siteInput, updateGenerated } from "../build/index.ts";
import { errorText, pauseMs, type RenderedSite } from "./rendered-site.ts";

type Bundles = Record<Edition, Bundle>;

interface UpdaterOptions {
  readonly sources: Sources;
  readonly docs: Pick<RenderedSite, "show" | "complete">;
  readonly useInMock: (plan: Plan) => void;
  readonly mustLint: boolean;
  readonly print: (text: string) => void;
}

/** The order after a change: two pages, the plan of the mock, the slower steps. */
export class Updater {
  readonly #options: UpdaterOptions;
  #abortController = new AbortController();

  constructor(options: UpdaterOptions) {
    this.#options = options;
  }

  /**
   * Ends the running update early. It stops rendering and the lint of the bundle, and skips the mock and the client if they are not updated
   * yet: the next update covers them.
   */
  supersede(): void {
    this.#abortController.abort();
    this.#abortController = new AbortController();
  }

  async run(): Promise<void> {
    const { signal } = this.#abortController;
    const { sources, mustLint, print } = this.#options;
    const printDone = this.#timer();
    try {
      const lintResult = mustLint ? await this.#lint() : undefined;
      if (lintResult?.hasErrors) return;
      if (mustLint) printDone("lint: no errors");
      const bundles = await bundleCheckedSources(sources);
      const guideFindings = await guideProblems(bundles.test.document, sources.registers());
      if (guideFindings.length > 0) {
        const { formatFindings } = await import("../../lint/index.ts");
        return print(
          `${formatFindings(guideFindings)}\n✗ guides: ${guideFindings.length} error(s); mock, client and docs are unchanged`,
        );
      }
      await this.showDocs(bundles);
      printDone("docs: the pages show the change");
      await setTimeout(pauseMs);
      if (signal.aborted) return;
      this.#options.useInMock(await planFrom(bundles, sources));
      printDone("mock: answers by the change");
      await this.finish(bundles, signal, lintResult?.text);
    } catch (error) {
      print(errorText(error));
    }
  }

  /**
   * @param signal cancels the slower steps. Default: the signal of the next {@link supersede}.
   * @param printedText the findings as printed so far, which are not repeated if they have not changed.
   */
  async finish(bundles: Bundles, signal = this.#abortController.signal, printedText = ""): Promise<void> {
    const printDone = this.#timer();
    try {
      await this.#options.docs.complete(signal);
      if (signal.aborted) return;
      await updateGenerated(bundles, this.#options.sources);
      printDone("client: generated/");
      if (this.#options.mustLint && !signal.aborted) await this.#lintBundle(bundles, printedText, signal);
    } catch (error) {
      this.#options.print(errorText(error));
    }
  }

  #timer(): (message: string) => void {
    const startedAt = performance.now();
    return (message) => this.#options.print(`✓ ${message} (${(performance.now() - startedAt).toFixed(0)} ms)`);
  }

  /** @returns the printed findings. */
  async #lint(): Promise<{ text: string; hasErrors: boolean }> {
    const { errorsIn, formatFindings, lintContract } = await import("../../lint/index.ts");
    const { findings } = await lintContract({ sources: this.#options.sources });
    const text = formatFindings(findings);
    if (text !== "") this.#options.print(text);
    const errorCount = errorsIn(findings).length;
    if (errorCount > 0) this.#options.print(`✗ lint: ${errorCount} error(s); mock, client and docs are unchanged`);
    return { text, hasErrors: errorCount > 0 };
  }

  /** Spectral is slow, so it runs in a child process. Prints the findings only if they differ from `printedText`. */
  async #lintBundle(bundles: Bundles, printedText: string, signal: AbortSignal): Promise<void> {
    const { formatFindings, lintInChildProcess } = await import("../../lint/index.ts");
    const { document, places } = bundles.test;
    const lintPromise = lintInChildProcess(Promise.resolve({ document, places }), signal);
    const findings = await lintPromise.catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (findings === undefined) return;
    const text = formatFindings(findings);
    if (text !== printedText) this.#options.print(text);
  }

  async showDocs(bundles: Bundles): Promise<void> {
    const { docs, sources } = this.#options;
    docs.show(await planSite(await siteInput(bundles, sources.registers())));
  }
}

export function planFrom({ test: { document } }: Bundles, sources: Sources): Promise<Plan> {
  return planOf({ document, registers: readPlanRegisters(sources) });
}
