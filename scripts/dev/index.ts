/** Keeps lint result, clients, docs and mock up to date while somebody edits `openapi/`. */
import type { Stats } from "node:fs";
import { relative } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { watch } from "chokidar";
import { removeFiles, updateFolder } from "../build/files.ts";
import { generateEditions } from "../build/generate.ts";
import { replaceFolder } from "../build/index.ts";
import { type Bundle, bundleEditions } from "../bundle/index.ts";
import { docsFolder, type Edition, editionFolder, editions, projectRoot, UsageError } from "../contract/index.ts";
import { finishSite, planSite, renderPostman, renderSinglePages, type SitePlan, serveSite } from "../docs/index.ts";
import { formatFindings, lintContract } from "../lint/index.ts";
import { formatEntry, type Mock, type RequestEntry, type Source, startMock } from "../mock/index.ts";
import { prismSource, readPlanRegisters } from "../plan/index.ts";
import { Sources } from "../sources/index.ts";

export interface DevelopOptions {
  edition: Edition;
  host: string;
  /** Ports of the mock's two addresses and of the site; 0 takes a free one. */
  port: number;
  depositPort: number;
  docsPort: number;
  /** Is given each line to show. */
  print?: (text: string) => void;
}

export interface Development {
  mock: Mock;
  siteUrl: string;
  close(): Promise<void>;
}

type Bundles = Record<Edition, Bundle>;

/** Editors save in several steps; a change is taken up when nothing has moved for this long. */
const settleMs = 40;

/** Whoever reloads a page at once gets it before the slower steps occupy the process. */
const quietMs = 250;

/**
 * Builds what the contract gives, serves the docs and the mock, and repeats it on every saved change. The ports stay open:
 * while the contract has an error, the mock, the clients and the docs stay as they were.
 *
 * @throws {UsageError} when the contract has an error at the start, or a port cannot be listened on.
 */
export async function develop(options: DevelopOptions): Promise<Development> {
  const { edition, host, port, depositPort, docsPort, print = console.log } = options;
  const sources = new Sources();
  await assertNoErrors(sources);
  const bundles = await bundleEditions(sources);
  const onRequest = (entry: RequestEntry) => print(formatEntry(entry));
  const source = sourceOf(bundles, edition, sources);
  const mock = await startMock({ source, port, depositPort, host, onRequest });
  const update = new Update(sources, edition, mock, print);
  // The port is taken before the slow steps, so that one that is in use is told at once.
  const site = await update
    .showDocs(bundles)
    .then(() => {
      const prepare = (path: string) => update.prepare(path);
      return serveSite({ folder: docsFolder, port: docsPort, host, portOption: "--docs-port", prepare });
    })
    .catch(async (error: unknown) => {
      await mock.close();
      throw error;
    });
  await update.run(bundles);

  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const watcher = watch(`${projectRoot}/openapi`, { ignoreInitial: true, ignored: isTemporary });
  watcher.on("all", (_event, file) => {
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
    await watcher.close();
    await running;
    await update.rendering;
    await Promise.all([site.close(), mock.close()]);
  };
  return { mock, siteUrl: site.url, close };
}

/** Whether a file is one that an editor makes while it saves another one. */
function isTemporary(path: string, stats?: Stats): boolean {
  return stats?.isFile() === true && !/\.(yaml|md)$/.test(path);
}

async function assertNoErrors(sources: Sources): Promise<void> {
  const { findings } = await lintContract({ sources });
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new UsageError(`${formatFindings(errors)}\nCorrect the contract, then start again.`);
}

/** Brings everything up to date, once after each change. It prints what fails, and never throws. */
class Update {
  readonly #sources: Sources;
  readonly #edition: Edition;
  readonly #mock: Mock;
  readonly #print: (text: string) => void;
  /** How many changes there were. */
  #passes = 0;
  /** The files of the site as they were written last. */
  readonly #written = new Map<string, string | Uint8Array>();
  /** The pages of the contract as it is now; undefined before the first ones. */
  #plan: SitePlan | undefined;
  /** Those that have been rendered since the last change, by their paths. */
  #html: Record<string, string> = {};
  /** Whether there are the files that take seconds. */
  #hasSlowPages = false;
  /** The rendering of the docs that is under way. */
  rendering: Promise<void> = Promise.resolve();

  constructor(sources: Sources, edition: Edition, mock: Mock, print: (text: string) => void) {
    this.#sources = sources;
    this.#edition = edition;
    this.#mock = mock;
    this.#print = print;
  }

  /** Ends the pass that is under way as soon as the pages show its change: there is another change. */
  supersede(): void {
    this.#passes += 1;
  }

  /** @param known the bundles of the sources as they are now, when they are at hand and the pages show them. */
  async run(known?: Bundles): Promise<void> {
    const pass = this.#passes;
    const startedAt = performance.now();
    const done = (what: string) => this.#print(`✓ ${what} (${(performance.now() - startedAt).toFixed(0)} ms)`);
    try {
      const printed = await this.#lint();
      if (printed === undefined) return;
      done("lint: no errors");
      const bundles = known ?? (await bundleEditions(this.#sources));
      if (known === undefined) await this.showDocs(bundles);
      done("docs: the pages show the change");
      await setTimeout(quietMs);
      if (pass !== this.#passes) return;
      await this.#mock.use(sourceOf(bundles, this.#edition, this.#sources));
      done("mock: answers by the change");
      if (pass !== this.#passes) return;
      await this.#writeClients(bundles);
      done("clients: generated/latest, generated/test");
      if (pass !== this.#passes) return;
      this.rendering = this.rendering.then(() => this.#finishDocs(bundles, pass));
      await this.#lintBundle(bundles, printed);
    } catch (error) {
      this.#print(explain(error));
    }
  }

  /** Prints what lint finds in the sources, and returns it; undefined when there is an error among it. */
  async #lint(): Promise<string | undefined> {
    const { findings } = await lintContract({ sources: this.#sources });
    const text = formatFindings(findings);
    if (text !== "") this.#print(text);
    const errors = findings.filter(({ severity }) => severity === "error").length;
    if (errors === 0) return text;
    this.#print(`✗ lint: ${errors} error(s); mock, clients and docs stay as they were`);
    return undefined;
  }

  /** Spectral takes as long as everything else together, so it comes last. What was printed before is not repeated. */
  async #lintBundle(bundles: Bundles, printed: string): Promise<void> {
    const bundle = async (edition: Edition) => bundles[edition].document;
    const { findings } = await lintContract({ sources: this.#sources, bundle });
    const text = formatFindings(findings);
    if (text !== printed) this.#print(text);
  }

  async #writeClients(bundles: Bundles): Promise<void> {
    const generated = await generateEditions(bundles, this.#sources.registers());
    for (const edition of editions) replaceFolder(editionFolder(edition), generated[edition]);
  }

  /** Reads what the pages are made from. A page is rendered when it is asked for, so that a change is seen at once. */
  async showDocs(bundles: Bundles): Promise<void> {
    const plan = await planSite({ bundles, registers: this.#sources.registers() });
    updateFolder(docsFolder, plan.files, this.#written);
    const gone = [...(this.#plan?.renderers.keys() ?? [])].filter((path) => !plan.renderers.has(path));
    removeFiles(docsFolder, gone);
    for (const path of gone) this.#written.delete(path);
    this.#plan = plan;
    this.#html = {};
  }

  /** Writes a page that has not been rendered since the last change. */
  prepare(path: string): void {
    const render = this.#plan?.renderers.get(path);
    if (render === undefined || Object.hasOwn(this.#html, path)) return;
    try {
      this.#html[path] = render();
      updateFolder(docsFolder, { [path]: this.#html[path] }, this.#written);
    } catch (error) {
      this.#print(explain(error));
    }
  }

  /** Renders the pages that nobody has asked for, and makes the search, unless there is another change meanwhile. */
  async #finishDocs(bundles: Bundles, pass: number): Promise<void> {
    const plan = this.#plan;
    if (plan === undefined || pass !== this.#passes) return;
    try {
      for (const path of plan.renderers.keys()) {
        if (pass !== this.#passes) return;
        this.prepare(path);
        await setImmediate();
      }
      if (pass !== this.#passes) return;
      const files = await finishSite(plan, this.#html);
      if (pass !== this.#passes) return;
      updateFolder(docsFolder, files, this.#written);
      this.#print("✓ docs: search, Markdown");
      if (this.#hasSlowPages) return;
      this.#hasSlowPages = true;
      const slow = { ...(await renderPostman(bundles)), ...(await renderSinglePages(bundles)) };
      updateFolder(docsFolder, slow, this.#written);
      this.#print("✓ docs: Postman collections and single pages, which stay as they are now");
    } catch (error) {
      this.#print(explain(error));
    }
  }
}

/** Prism: to compile the schemas would take longer than everything else. */
function sourceOf(bundles: Bundles, edition: Edition, sources: Sources): Promise<Source> {
  return prismSource({ edition, document: bundles[edition].document, registers: readPlanRegisters(sources) });
}

function explain(error: unknown): string {
  return error instanceof UsageError ? error.message : String((error as Error).stack ?? error);
}
