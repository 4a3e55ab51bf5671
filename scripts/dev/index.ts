/** Keeps lint result, clients, docs and mock up to date while somebody edits `openapi/`. */
import { existsSync } from "node:fs";
import { relative } from "node:path";
import { watch } from "chokidar";
import { generateEditions, replaceFolder } from "../build/index.ts";
import { type Bundle, bundleEditions } from "../bundle/index.ts";
import { docsFolder, type Edition, editionFolder, editions, projectRoot, UsageError } from "../contract/index.ts";
import { renderEdition, renderSite, serveSite } from "../docs/index.ts";
import { formatFindings, lintContract } from "../lint/index.ts";
import { formatEntry, type Mock, type RequestEntry, startMock } from "../mock/index.ts";
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
  const mock = await startMock({ document: bundles[edition].document, port, depositPort, host, onRequest });
  const update = new Update(sources, edition, mock, print);
  const site = await update
    .run(bundles)
    .then(() => serveSite({ folder: docsFolder, port: docsPort, host, portOption: "--docs-port" }))
    .catch(async (error: unknown) => {
      await mock.close();
      throw error;
    });

  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const watcher = watch(`${projectRoot}/openapi`, { ignoreInitial: true });
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
  const close = async () => {
    clearTimeout(timer);
    await watcher.close();
    await running;
    await Promise.all([site.close(), mock.close()]);
  };
  return { mock, siteUrl: site.url, close };
}

async function assertNoErrors(sources: Sources): Promise<void> {
  const { findings } = await lintContract({ sources });
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new UsageError(`${formatFindings(errors)}\nCorrect the contract, then start again.`);
}

/** One pass after a change. It prints what failed, and never throws on a mistake in the contract. */
class Update {
  readonly #sources: Sources;
  readonly #edition: Edition;
  readonly #mock: Mock;
  readonly #print: (text: string) => void;

  constructor(sources: Sources, edition: Edition, mock: Mock, print: (text: string) => void) {
    this.#sources = sources;
    this.#edition = edition;
    this.#mock = mock;
    this.#print = print;
  }

  /** @param bundles those of the sources as they are now, when they are at hand. */
  async run(bundles?: Bundles): Promise<void> {
    const startedAt = performance.now();
    const since = () => `${(performance.now() - startedAt).toFixed(0)} ms`;
    try {
      if (await this.#hasErrors()) return;
      this.#print(`✓ lint: no errors (${since()})`);
      const fresh = bundles ?? (await bundleEditions(this.#sources));
      const docs = this.#writeDocs(fresh);
      // A failure is reported below.
      docs.catch(() => {});
      await this.#mock.use(fresh[this.#edition].document);
      this.#print(`✓ mock: answers by the change (${since()})`);
      await this.#writeClients(fresh);
      this.#print(`✓ clients: generated/latest, generated/test (${since()})`);
      await docs;
      this.#print(`✓ docs: generated/docs/${this.#edition} (${since()})`);
      await this.#lintBundle(fresh);
    } catch (error) {
      this.#print(error instanceof UsageError ? error.message : String((error as Error).stack ?? error));
    }
  }

  /** Whether the sources have an error. What lint finds is printed. */
  async #hasErrors(): Promise<boolean> {
    const { findings } = await lintContract({ sources: this.#sources });
    if (findings.length > 0) this.#print(formatFindings(findings));
    const errors = findings.filter(({ severity }) => severity === "error").length;
    if (errors > 0) this.#print(`✗ lint: ${errors} error(s); mock, clients and docs stay as they were`);
    return errors > 0;
  }

  async #writeClients(bundles: Bundles): Promise<void> {
    const generated = await generateEditions(bundles, this.#sources.registers(), { uncommitted: true });
    for (const edition of editions) replaceFolder(editionFolder(edition), generated[edition]);
  }

  async #writeDocs(bundles: Bundles): Promise<void> {
    const edition = this.#edition;
    const registers = this.#sources.registers();
    if (!existsSync(`${docsFolder}/index.html`)) {
      replaceFolder(docsFolder, await renderSite({ bundles, registers }));
      return;
    }
    const files = await renderEdition(edition, bundles[edition], { registers });
    const below = Object.entries(files).map(([path, text]) => [path.replace(`${edition}/`, ""), text]);
    replaceFolder(`${docsFolder}/${edition}`, Object.fromEntries(below));
  }

  /** Spectral takes as long as everything else together, so it comes last. */
  async #lintBundle(bundles: Bundles): Promise<void> {
    const bundle = async () => bundles.test.document;
    const { findings } = await lintContract({ sources: this.#sources, bundle });
    if (findings.length > 0) this.#print(formatFindings(findings));
  }
}
