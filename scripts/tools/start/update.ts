import { rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { type Bundle, bundleEditions } from "../../contract/bundle/index.ts";
import { docsFolder, type Edition, UsageError } from "../../contract/model/index.ts";
import type { Sources } from "../../contract/sources/index.ts";
import { planOf, readPlanRegisters } from "../../mock/make-plan/index.ts";
import type { Plan } from "../../mock/plan/index.ts";
import { bundleName, finishSite, guideProblems, planSite, type SitePlan } from "../../site/index.ts";
import {
  editionOfRedoc,
  packIntoSite,
  renderRedoc,
  replaceFolder,
  tarballName,
  updateFolder,
  updateGenerated,
} from "../build/index.ts";
import { unreleasedChanges } from "../changes/index.ts";

type Bundles = Record<Edition, Bundle>;

/** Milliseconds of pause before the slower steps, which occupy the process. During the pause, a browser can load a changed page. */
const pauseMs = 250;

interface UpdaterOptions {
  readonly sources: Sources;
  /** Gives the plan to the running mock. */
  readonly useInMock: (plan: Plan) => void;
  readonly mustLint: boolean;
  readonly print: (text: string) => void;
}

/** Updates the output after a change: first two pages, then the plan of the mock, then the slower steps. */
export class Updater {
  readonly #options: UpdaterOptions;
  #abortController = new AbortController();
  readonly #writtenContents = new Map<string, string | Uint8Array>();
  #plan: SitePlan | undefined;
  #renderedPages: Record<string, string> = {};
  /** For each file that is made only when it is requested: a promise of its completion, by path. */
  readonly #requestedFiles = new Map<string, Promise<unknown>>();
  /** Resolves when all docs of the latest change have been written, or their rendering has been cancelled or has failed. */
  docsPromise: Promise<void> = Promise.resolve();

  constructor(options: UpdaterOptions) {
    this.#options = options;
  }

  /** Cancels slower steps of earlier changes: the rendering of pages and the lint of the bundle stop. */
  supersede(): void {
    this.#abortController.abort();
    this.#abortController = new AbortController();
  }

  async run(): Promise<void> {
    const signal = this.#abortController.signal;
    const printDone = this.#timer();
    try {
      const printedText = this.#options.mustLint ? await this.#lint() : "";
      if (printedText === undefined) return;
      if (this.#options.mustLint) printDone("lint: no errors");
      const bundles = await bundleEditions(this.#options.sources);
      const guideFindings = await guideProblems(bundles.test.document, this.#options.sources.registers());
      if (guideFindings.length > 0) {
        const { formatFindings } = await import("../../lint/index.ts");
        return this.#options.print(
          `${formatFindings(guideFindings)}\n✗ guides: ${guideFindings.length} error(s); mock, client and docs are unchanged`,
        );
      }
      await this.showDocs(bundles);
      printDone("docs: the pages show the change");
      await setTimeout(pauseMs);
      if (signal.aborted) return;
      this.#options.useInMock(await planFrom(bundles, this.#options.sources));
      printDone("mock: answers by the change");
      await this.finish(bundles, printedText);
    } catch (error) {
      this.#options.print(explain(error));
    }
  }

  /** Runs the slower steps. @param printedText the findings as printed so far, which are not repeated if they have not changed. */
  async finish(bundles: Bundles, printedText = ""): Promise<void> {
    const signal = this.#abortController.signal;
    const printDone = this.#timer();
    this.docsPromise = this.docsPromise.then(() => this.#finishDocs(signal));
    try {
      await this.docsPromise;
      if (signal.aborted) return;
      await updateGenerated(bundles, this.#options.sources.registers());
      printDone("client: generated/");
      if (this.#options.mustLint && !signal.aborted) await this.#lintBundle(bundles, printedText, signal);
    } catch (error) {
      this.#options.print(explain(error));
    }
  }

  #timer(): (message: string) => void {
    const startedAt = performance.now();
    return (message) => this.#options.print(`✓ ${message} (${(performance.now() - startedAt).toFixed(0)} ms)`);
  }

  /** @returns the printed findings; undefined if there is an error. */
  async #lint(): Promise<string | undefined> {
    const { formatFindings, lintContract } = await import("../../lint/index.ts");
    const { findings } = await lintContract({ sources: this.#options.sources });
    const text = formatFindings(findings);
    if (text !== "") this.#options.print(text);
    const errorCount = findings.filter(({ severity }) => severity === "error").length;
    if (errorCount === 0) return text;
    this.#options.print(`✗ lint: ${errorCount} error(s); mock, client and docs are unchanged`);
    return undefined;
  }

  /** Lints again with Spectral, which is slow, in a child process. Prints the findings only if they differ from `printedText`. */
  async #lintBundle(bundles: Bundles, printedText: string, signal: AbortSignal): Promise<void> {
    const { formatFindings, lintInChildProcess } = await import("../../lint/index.ts");
    const lintPromise = lintInChildProcess(Promise.resolve(bundles.test.document), signal);
    const findings = await lintPromise.catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (findings === undefined) return;
    const text = formatFindings(findings);
    if (text !== printedText) this.#options.print(text);
  }

  /** Renders only two pages. The others are rendered on request or in the background, so that a page is available soon after a change. */
  async showDocs(bundles: Bundles): Promise<void> {
    const unreleasedText = unreleasedChanges(JSON.parse(bundles.test.json));
    const plan = await planSite({ bundles, registers: this.#options.sources.registers(), unreleasedText });
    // Removes pages of earlier builds.
    if (this.#plan === undefined) replaceFolder(docsFolder, plan.files);
    else updateFolder(docsFolder, plan.files, this.#writtenContents);
    const removedPaths = [...(this.#plan?.renderers.keys() ?? [])].filter((path) => !plan.renderers.has(path));
    for (const path of removedPaths) {
      rmSync(join(docsFolder, path), { force: true });
      this.#writtenContents.delete(path);
    }
    this.#plan = plan;
    this.#renderedPages = {};
    this.#requestedFiles.clear();
    for (const path of ["index.html", "404.html"]) this.#renderPage(path);
  }

  /** Writes a requested file if it has not been written since the last change. For a file that depends on all pages, waits for these. */
  async prepare(path: string): Promise<void> {
    const makeFile = makerOf(path);
    if (this.#plan?.renderers.has(path)) this.#renderPage(path);
    else if (makeFile !== undefined) {
      await this.docsPromise;
      const promise =
        this.#requestedFiles.get(path) ??
        makeFile().catch((error: unknown) => {
          this.#requestedFiles.delete(path);
          this.#options.print(explain(error));
        });
      this.#requestedFiles.set(path, promise);
      await promise;
    } else if (!path.endsWith(".html") && !Object.hasOwn(this.#plan?.files ?? {}, path)) await this.docsPromise;
  }

  #renderPage(path: string): void {
    const render = this.#plan?.renderers.get(path);
    if (render === undefined || Object.hasOwn(this.#renderedPages, path)) return;
    try {
      this.#renderedPages[path] = render();
      updateFolder(docsFolder, { [path]: this.#renderedPages[path] }, this.#writtenContents);
    } catch (error) {
      this.#options.print(explain(error));
    }
  }

  async #finishDocs(signal: AbortSignal): Promise<void> {
    const plan = this.#plan;
    if (plan === undefined || signal.aborted) return;
    try {
      await setTimeout(pauseMs);
      for (const path of plan.renderers.keys()) {
        if (signal.aborted) return;
        this.#renderPage(path);
        await setImmediate();
      }
      if (signal.aborted) return;
      const files = await finishSite(plan, this.#renderedPages);
      if (signal.aborted) return;
      updateFolder(docsFolder, files, this.#writtenContents);
      this.#options.print("✓ docs: search, Markdown");
    } catch (error) {
      this.#options.print(explain(error));
    }
  }
}

/** @returns a function that makes the requested package or file of Redoc; undefined for other files. */
function makerOf(path: string): (() => Promise<unknown>) | undefined {
  if (path === tarballName()) return () => packIntoSite({ mustCompile: true });
  const edition = editionOfRedoc(path);
  if (edition === undefined) return undefined;
  return () => renderRedoc(join(docsFolder, bundleName(edition, "json")), join(docsFolder, path));
}

export function planFrom({ test: { document } }: Bundles, sources: Sources): Promise<Plan> {
  return planOf({ document, registers: readPlanRegisters(sources) });
}

function explain(error: unknown): string {
  return error instanceof UsageError ? error.message : String((error as Error).stack ?? error);
}
