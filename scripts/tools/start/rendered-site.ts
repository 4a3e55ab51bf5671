import { rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { docsFolder, UsageError } from "../../base/index.ts";
import { bundleName, finishSite, type SitePlan } from "../../site/index.ts";
import { editionOfRedoc, packIntoSite, renderRedoc, replaceFolder, tarballName, updateFolder } from "../build/index.ts";

/** Milliseconds of pause before the slower steps, which occupy the process. During the pause, a browser can load a changed page. */
export const pauseMs = 250;

/**
 * The docs of the latest change. Two pages are written at once, so that they are available soon after a change. The others are rendered on
 * request or in the background.
 */
export class RenderedSite {
  readonly #print: (text: string) => void;
  readonly #writtenContents = new Map<string, string | Uint8Array>();
  /** By path: resolves when a requested file is made. */
  readonly #requestedFiles = new Map<string, Promise<unknown>>();
  #plan: SitePlan | undefined;
  #renderedPages: Record<string, string> = {};
  #completion: Promise<void> = Promise.resolve();

  /** @param print prints errors, and that the docs are complete. */
  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  /** The first time, removes pages of earlier builds. */
  show(plan: SitePlan): void {
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

  /** Writes the remaining docs, after those of earlier calls. Errors are printed. @param signal stops the rendering. */
  complete(signal: AbortSignal): Promise<void> {
    this.#completion = this.#completion.then(() => this.#renderRest(signal));
    return this.#completion;
  }

  /** Resolves when the last `complete` has written all docs, was stopped or has failed. */
  completion(): Promise<void> {
    return this.#completion;
  }

  /** Resolves when the file is up to date, or could not be made. Missing files other than pages wait for {@link complete}. */
  async prepare(path: string): Promise<void> {
    const makeFile = makerOf(path);
    if (this.#plan?.renderers.has(path)) this.#renderPage(path);
    else if (makeFile !== undefined) {
      await this.#completion;
      const promise =
        this.#requestedFiles.get(path) ??
        makeFile().catch((error: unknown) => {
          this.#requestedFiles.delete(path);
          this.#print(errorText(error));
        });
      this.#requestedFiles.set(path, promise);
      await promise;
    } else if (!path.endsWith(".html") && !Object.hasOwn(this.#plan?.files ?? {}, path)) await this.#completion;
  }

  #renderPage(path: string): void {
    const render = this.#plan?.renderers.get(path);
    if (render === undefined || Object.hasOwn(this.#renderedPages, path)) return;
    try {
      this.#renderedPages[path] = render();
      updateFolder(docsFolder, { [path]: this.#renderedPages[path] }, this.#writtenContents);
    } catch (error) {
      this.#print(errorText(error));
    }
  }

  async #renderRest(signal: AbortSignal): Promise<void> {
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
      this.#print("✓ docs: search, Markdown");
    } catch (error) {
      this.#print(errorText(error));
    }
  }
}

/** The package and the files of Redoc are made only when they are requested. @returns undefined for other files. */
function makerOf(path: string): (() => Promise<unknown>) | undefined {
  if (path === tarballName()) return () => packIntoSite({ mustCompile: true });
  const edition = editionOfRedoc(path);
  if (edition === undefined) return undefined;
  return () => renderRedoc(join(docsFolder, bundleName(edition, "json")), join(docsFolder, path));
}

/** A mistake in the sources is shown without a stack. */
export function errorText(error: unknown): string {
  return error instanceof UsageError ? error.message : String((error as Error).stack ?? error);
}
