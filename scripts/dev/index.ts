/** Keeps lint result, clients, docs and mock up to date while somebody edits `openapi/`. */
import { existsSync, readFileSync, renameSync, type Stats, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { watch } from "chokidar";
import { generateEditions } from "../build/generate.ts";
import { replaceFolder } from "../build/index.ts";
import { type Bundle, bundleEditions } from "../bundle/index.ts";
import { docsFolder, type Edition, editionFolder, editions, projectRoot, UsageError } from "../contract/index.ts";
import { previewEdition, renderSite, serveSite } from "../docs/index.ts";
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
  const site = await update
    .run(bundles)
    .then(() => update.rendering)
    .then(() => serveSite({ folder: docsFolder, port: docsPort, host, portOption: "--docs-port" }))
    .catch(async (error: unknown) => {
      await mock.close();
      throw error;
    });

  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const watcher = watch(`${projectRoot}/openapi`, { ignoreInitial: true, ignored: isTemporary });
  watcher.on("all", (_event, file) => {
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
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
  /** How many passes there were. */
  #passes = 0;
  /** The rendering of the docs that is under way. */
  rendering: Promise<void> = Promise.resolve();

  constructor(sources: Sources, edition: Edition, mock: Mock, print: (text: string) => void) {
    this.#sources = sources;
    this.#edition = edition;
    this.#mock = mock;
    this.#print = print;
  }

  /** @param known the bundles of the sources as they are now, when they are at hand. */
  async run(known?: Bundles): Promise<void> {
    this.#passes += 1;
    const pass = this.#passes;
    const startedAt = performance.now();
    const done = (what: string) => this.#print(`✓ ${what} (${(performance.now() - startedAt).toFixed(0)} ms)`);
    try {
      const printed = await this.#lint();
      if (printed === undefined) return;
      done("lint: no errors");
      const bundles = known ?? (await bundleEditions(this.#sources));
      await this.#mock.use(sourceOf(bundles, this.#edition, this.#sources));
      done("mock: answers by the change");
      if (this.#preview(bundles)) done(`docs: generated/docs/${this.#edition}`);
      await this.#writeClients(bundles);
      done("clients: generated/latest, generated/test");
      this.rendering = this.rendering.then(() => this.#render(bundles, pass));
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

  /** Puts the change into the page as it is, for the browser to render. Returns whether that can be done. */
  #preview(bundles: Bundles): boolean {
    const page = `${docsFolder}/${this.#edition}/index.html`;
    if (!existsSync(page)) return false;
    const { document } = bundles[this.#edition];
    const preview = previewEdition(readFileSync(page, "utf8"), document, { registers: this.#sources.registers() });
    if (preview === undefined) return false;
    // Renamed into place, since the server may be sending the file at this moment.
    writeFileSync(`${page}.new`, preview);
    renameSync(`${page}.new`, page);
    return true;
  }

  /** Renders the whole site, unless there was another change meanwhile. */
  async #render(bundles: Bundles, pass: number): Promise<void> {
    if (pass !== this.#passes) return;
    try {
      const files = await renderSite({ bundles, registers: this.#sources.registers() });
      if (pass !== this.#passes) return;
      replaceFolder(docsFolder, files);
      this.#print("✓ docs: rendered in full");
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
