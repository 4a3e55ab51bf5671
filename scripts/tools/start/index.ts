import { existsSync, readdirSync, readFileSync, rmSync, type Stats } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { watch } from "chokidar";
import { type Bundle, bundleEditions } from "../../contract/bundle/index.ts";
import { escapeControls } from "../../contract/messages/index.ts";
import { docsFolder, type Edition, projectRoot, UsageError } from "../../contract/model/index.ts";
import { Sources } from "../../contract/sources/index.ts";
import { type ReplaceableMock, startMock } from "../../mock/host/index.ts";
import { planOf, readPlanRegisters } from "../../mock/make-plan/index.ts";
import type { Plan } from "../../mock/plan/index.ts";
import { formatEntry, isLoopback } from "../../mock/server/index.ts";
import {
  bundleName,
  finishSite,
  guideProblems,
  planSite,
  type Site,
  type SitePlan,
  serveSite,
  withoutParts,
} from "../../site/index.ts";
import { replaceFolder, updateFolder } from "../build/files.ts";
import { packIntoSite, tarballName } from "../build/package.ts";
import { editionOfRedoc, renderRedoc } from "../build/redoc.ts";
import { unreleasedChanges } from "../changes/index.ts";

export interface StartOptions {
  edition: Edition;
  host: string;
  /** Ports of the mock's two addresses and of the site; 0 takes a free port. */
  port: number;
  depositPort: number;
  docsPort: number;
  empty?: boolean;
  /** Whether to lint at the start and on each change. After an error, nothing is started or updated. */
  lint?: boolean;
  print?: (text: string) => void;
}

export interface Started {
  mock: ReplaceableMock;
  plan: Plan;
  siteUrl: string;
  close(): Promise<void>;
}

type Bundles = Record<Edition, Bundle>;

/** Milliseconds without further changes before an update, since editors save in several steps. */
const settleMs = 40;

/** Milliseconds until slower steps occupy the process, so that a browser can load a changed page first. */
const quietMs = 250;

/**
 * Serves the docs and the mock, and runs slower steps in the background. Every saved change updates the docs, the mock and the client. After
 * a change with an error, the previous output is served.
 *
 * @returns as soon as all ports accept requests.
 * @throws {UsageError} when the contract has an error at the start, or a port is in use.
 */
export async function start(options: StartOptions): Promise<Started> {
  const { edition, host, port, depositPort, docsPort, empty = false, lint = false, print = console.log } = options;
  const sources = new Sources();
  if (lint) await assertNoErrors(sources);
  const bundles = await bundleEditions(sources);
  const plan = await planFrom(bundles, sources);
  let mock: ReplaceableMock | undefined;
  const update = new Update({ sources, use: (next) => mock?.use(next), lint, print });
  await update.showDocs(bundles);
  const site = await serveSite({
    ...{ folder: docsFolder, port: docsPort, host, portOption: "--docs-port" },
    prepare: (path) => update.prepare(path),
    // The addresses of a mock for other machines depend on the name by which they reach it.
    mock: () => (mock && isLoopback(host) ? { base_url: mock.url, deposit_base_url: mock.depositUrl } : undefined),
  });
  try {
    mock = await startMock(plan, {
      ...{ edition, port, depositPort, host, scenario: !empty, onNote: print },
      // The pages show what a call led to in the mock.
      allowOrigin: originsOf(site),
      onRequest: (entry) => print(escapeControls(formatEntry(entry))),
    });
  } catch (error) {
    await site.close();
    throw error;
  }

  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running = update.finish(bundles);
  const watcher = watch(`${projectRoot}/openapi`, { ignoreInitial: true, ignored: isTemporary });
  const guides = new GuideTexts();
  watcher.on("all", (event, file) => {
    if (event !== "unlink" && !guides.hasChanged(file)) return;
    changed.add(file);
    clearTimeout(timer);
    timer = globalThis.setTimeout(() => {
      update.supersede();
      running = running.then(async () => {
        if (changed.size === 0) return;
        print(`\n${[...changed].map((path) => relative(projectRoot, path)).join(", ")} changed`);
        for (const path of changed) sources.forget(path);
        changed.clear();
        await update.run();
      });
    }, settleMs);
  });
  await new Promise<void>((resolve) => watcher.once("ready", resolve));
  const close = async () => {
    clearTimeout(timer);
    update.supersede();
    await watcher.close();
    await running;
    await update.rendering;
    await Promise.all([site.close(), mock.close()]);
  };
  return { mock, plan, siteUrl: site.url, close };
}

/** The names under which a browser on this machine reaches the site. */
function originsOf({ url }: Site): string[] {
  const { origin, port } = new URL(url);
  return [...new Set([origin, `http://127.0.0.1:${port}`, `http://localhost:${port}`])];
}

/** While saving, editors create files that are hidden, or whose name does not end with a plain extension. */
function isTemporary(path: string, stats?: Stats): boolean {
  if (stats?.isFile() !== true) return false;
  return !/^[^.#~][^#~]*\.[a-z]{1,6}$/.test(basename(path)) || /\.(sw[a-z]|tmp|bak|orig|new)$/.test(path);
}

const guidesFolder = `${projectRoot}/openapi/guides`;

/** Tells whether a file has changed, but for the generated parts of a guide, which the pages do not show. */
class GuideTexts {
  readonly #known = new Map<string, string>();

  constructor() {
    for (const name of readdirSync(guidesFolder)) this.hasChanged(join(guidesFolder, name));
  }

  hasChanged(file: string): boolean {
    if (dirname(file) !== guidesFolder || !file.endsWith(".md") || !existsSync(file)) return true;
    const text = withoutParts(readFileSync(file, "utf8"));
    const isSame = this.#known.get(file) === text;
    this.#known.set(file, text);
    return !isSame;
  }
}

async function assertNoErrors(sources: Sources): Promise<void> {
  const { formatFindings, lintContract } = await import("../../lint/index.ts");
  const { findings } = await lintContract({ sources });
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new UsageError(`${formatFindings(errors)}\nCorrect the contract, then start again.`);
}

interface UpdateOptions extends Required<Pick<StartOptions, "lint" | "print">> {
  sources: Sources;
  use: (plan: Plan) => void;
}

class Update {
  readonly #options: UpdateOptions;
  #pass = new AbortController();
  readonly #written = new Map<string, string | Uint8Array>();
  #plan: SitePlan | undefined;
  #html: Record<string, string> = {};
  /** By path: the files that are made when they are requested. */
  readonly #requested = new Map<string, Promise<unknown>>();
  rendering: Promise<void> = Promise.resolve();

  constructor(options: UpdateOptions) {
    this.#options = options;
  }

  supersede(): void {
    this.#pass.abort();
    this.#pass = new AbortController();
  }

  async run(): Promise<void> {
    const pass = this.#pass.signal;
    const done = this.#timer();
    try {
      const printed = this.#options.lint ? await this.#lint() : "";
      if (printed === undefined) return;
      if (this.#options.lint) done("lint: no errors");
      const bundles = await bundleEditions(this.#options.sources);
      const wrong = await guideProblems(bundles.test.document, this.#options.sources.registers());
      if (wrong.length > 0) {
        const { formatFindings } = await import("../../lint/index.ts");
        return this.#options.print(
          `${formatFindings(wrong)}\n✗ guides: ${wrong.length} error(s); mock, client and docs are unchanged`,
        );
      }
      await this.showDocs(bundles);
      done("docs: the pages show the change");
      await setTimeout(quietMs);
      if (pass.aborted) return;
      this.#options.use(await planFrom(bundles, this.#options.sources));
      done("mock: answers by the change");
      await this.finish(bundles, printed);
    } catch (error) {
      this.#options.print(explain(error));
    }
  }

  /** Runs the slower steps. @param printed the findings printed so far, which are not repeated. */
  async finish(bundles: Bundles, printed = ""): Promise<void> {
    const pass = this.#pass.signal;
    const done = this.#timer();
    this.rendering = this.rendering.then(() => this.#finishDocs(pass));
    try {
      await this.rendering;
      if (pass.aborted) return;
      const { generate, writeGenerated } = await import("../build/generate.ts");
      writeGenerated(await generate(bundles, this.#options.sources.registers()));
      done("client: generated/");
      if (this.#options.lint && !pass.aborted) await this.#lintBundle(bundles, printed, pass);
    } catch (error) {
      this.#options.print(explain(error));
    }
  }

  #timer(): (what: string) => void {
    const startedAt = performance.now();
    return (what) => this.#options.print(`✓ ${what} (${(performance.now() - startedAt).toFixed(0)} ms)`);
  }

  /** @returns the printed findings; undefined if there is an error. */
  async #lint(): Promise<string | undefined> {
    const { formatFindings, lintContract } = await import("../../lint/index.ts");
    const { findings } = await lintContract({ sources: this.#options.sources });
    const text = formatFindings(findings);
    if (text !== "") this.#options.print(text);
    const errors = findings.filter(({ severity }) => severity === "error").length;
    if (errors === 0) return text;
    this.#options.print(`✗ lint: ${errors} error(s); mock, client and docs are unchanged`);
    return undefined;
  }

  /** Runs Spectral last, because Spectral is slow. Prints the findings only if they differ from `printed`. */
  async #lintBundle(bundles: Bundles, printed: string, pass: AbortSignal): Promise<void> {
    const { formatFindings, lintInChildProcess } = await import("../../lint/index.ts");
    const linting = lintInChildProcess(Promise.resolve(bundles.test.document), pass);
    const findings = await linting.catch((error: unknown) => {
      if (!pass.aborted) throw error;
    });
    if (findings === undefined) return;
    const text = formatFindings(findings);
    if (text !== printed) this.#options.print(text);
  }

  /** Renders only two pages. Others are rendered on request, so that a page is available soon after a change. */
  async showDocs(bundles: Bundles): Promise<void> {
    const unreleased = unreleasedChanges(JSON.parse(bundles.test.json));
    const plan = await planSite({ bundles, registers: this.#options.sources.registers(), unreleased });
    // Removes pages of earlier builds.
    if (this.#plan === undefined) replaceFolder(docsFolder, plan.files);
    else updateFolder(docsFolder, plan.files, this.#written);
    const gone = [...(this.#plan?.renderers.keys() ?? [])].filter((path) => !plan.renderers.has(path));
    for (const path of gone) {
      rmSync(join(docsFolder, path), { force: true });
      this.#written.delete(path);
    }
    this.#plan = plan;
    this.#html = {};
    this.#requested.clear();
    for (const path of ["index.html", "404.html"]) this.#renderPage(path);
  }

  /** For a file that depends on all pages, waits until the file is written. */
  async prepare(path: string): Promise<void> {
    const make = makerOf(path);
    if (this.#plan?.renderers.has(path)) this.#renderPage(path);
    else if (make !== undefined) {
      await this.rendering;
      const made =
        this.#requested.get(path) ??
        make().catch((error: unknown) => {
          this.#requested.delete(path);
          this.#options.print(explain(error));
        });
      this.#requested.set(path, made);
      await made;
    } else if (!path.endsWith(".html") && !Object.hasOwn(this.#plan?.files ?? {}, path)) await this.rendering;
  }

  #renderPage(path: string): void {
    const render = this.#plan?.renderers.get(path);
    if (render === undefined || Object.hasOwn(this.#html, path)) return;
    try {
      this.#html[path] = render();
      updateFolder(docsFolder, { [path]: this.#html[path] }, this.#written);
    } catch (error) {
      this.#options.print(explain(error));
    }
  }

  async #finishDocs(pass: AbortSignal): Promise<void> {
    const plan = this.#plan;
    if (plan === undefined || pass.aborted) return;
    try {
      await setTimeout(quietMs);
      for (const path of plan.renderers.keys()) {
        if (pass.aborted) return;
        this.#renderPage(path);
        await setImmediate();
      }
      if (pass.aborted) return;
      const files = await finishSite(plan, this.#html);
      if (pass.aborted) return;
      updateFolder(docsFolder, files, this.#written);
      this.#options.print("✓ docs: search, Markdown");
    } catch (error) {
      this.#options.print(explain(error));
    }
  }
}

/** The package and the files of Redoc, which take seconds to make, and which no page needs. */
function makerOf(path: string): (() => Promise<unknown>) | undefined {
  if (path === tarballName()) return () => packIntoSite({ compiles: true });
  const edition = editionOfRedoc(path);
  if (edition === undefined) return undefined;
  return () => renderRedoc(join(docsFolder, bundleName(edition, "json")), join(docsFolder, path));
}

function planFrom({ test: { document } }: Bundles, sources: Sources): Promise<Plan> {
  return planOf({ document, registers: readPlanRegisters(sources) });
}

function explain(error: unknown): string {
  return error instanceof UsageError ? error.message : String((error as Error).stack ?? error);
}
