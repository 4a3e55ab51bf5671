import { existsSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { watch } from "chokidar";
import { docsFolder, type Edition, escapeControls, projectRoot } from "../../base/index.ts";
import type { Address } from "../../contract/model/index.ts";
import { Sources } from "../../contract/sources/index.ts";
import { type ReplaceableMock, startMock } from "../../mock/host/index.ts";
import type { Plan } from "../../mock/plan/index.ts";
import { assertPortIsFree, formatEntry, isLoopback } from "../../mock/server/index.ts";
import { removeGeneratedParts, type Site, serveSite } from "../../site/index.ts";
import { assertNoLintErrors, bundleCheckedSources } from "../build/index.ts";
import { RenderedSite } from "./rendered-site.ts";
import { planFrom, Updater } from "./update.ts";
import { UpdateQueue } from "./update-queue.ts";

export interface StartOptions {
  edition: Edition;
  host: string;
  /** Ports of the mock's two addresses and of the site; 0 means any free port. */
  port: number;
  depositPort: number;
  docsPort: number;
  isEmpty?: boolean;
  /** Whether to lint at the start and on each change. After an error, nothing is started or updated. */
  mustLint?: boolean;
  print?: (text: string) => void;
}

export interface RunningServers {
  mock: ReplaceableMock;
  plan: Plan;
  siteUrl: string;
  close(): Promise<void>;
}

/**
 * Serves the docs and the mock, and runs slower steps in the background. Saved changes of `openapi/` update the docs, the mock and the
 * client. After a change with an error, the previous output is served.
 *
 * @returns as soon as all ports accept requests, and changes are noticed.
 * @throws {UsageError} when the contract cannot be bundled at the start or, with `mustLint`, has an error.
 * @throws {ListenError} when a port is in use, or the host or a port cannot be listened on.
 */
export async function start(options: StartOptions): Promise<RunningServers> {
  const {
    edition,
    host,
    port,
    depositPort,
    docsPort,
    isEmpty = false,
    mustLint = false,
    print = console.log,
  } = options;
  await assertPortIsFree({ host, port: docsPort, option: "--docs-port" });
  await assertPortIsFree({ host, port, option: "--port" });
  await assertPortIsFree({ host, port: depositPort, option: "--deposit-port" });
  const sources = new Sources();
  if (mustLint) await assertNoLintErrors(sources);
  const bundles = await bundleCheckedSources(sources);
  const plan = await planFrom(bundles, sources);
  let runningMock: ReplaceableMock | undefined;
  const docs = new RenderedSite(print);
  const updater = new Updater({ sources, docs, useInMock: (next) => runningMock?.use(next), mustLint, print });
  await updater.showDocs(bundles);
  const site = await serveSite({
    folder: docsFolder,
    port: docsPort,
    host,
    portOption: "--docs-port",
    prepare: (path) => docs.prepare(path),
    // If the host is not loopback, other machines reach the mock by a host name that this process does not know.
    mock: () => (runningMock && isLoopback(host) ? addressesOf(runningMock) : undefined),
  });
  try {
    const mock = await startMock(plan, {
      edition,
      port,
      depositPort,
      host,
      scenario: !isEmpty,
      onNote: print,
      // Lets the pages of the site call the mock, and read the effects of these calls.
      allowOrigin: originsOf(site),
      onRequest: (entry) => print(escapeControls(formatEntry(entry))),
    });
    runningMock = mock;
    const watcher = await watchSources(sources, updater, print, updater.finish(bundles));
    const close = async () => {
      await watcher.close();
      await docs.completion();
      await Promise.all([site.close(), mock.close()]);
    };
    return { mock, plan, siteUrl: site.url, close };
  } catch (error) {
    await Promise.all([site.close(), runningMock?.close()]);
    throw error;
  }
}

/**
 * Runs one update at a time.
 *
 * @param firstUpdate the update that runs now.
 * @returns as soon as changes are noticed. `close` cancels the slower steps, and waits for the rest of the last update.
 */
async function watchSources(
  sources: Sources,
  updater: Updater,
  print: (text: string) => void,
  firstUpdate: Promise<void>,
): Promise<{ close(): Promise<void> }> {
  const queue = new UpdateQueue(firstUpdate, {
    async update(files) {
      print(`\n${files.map((path) => relative(projectRoot, path)).join(", ")} changed`);
      for (const path of files) sources.forget(path);
      await updater.run();
    },
    supersede: () => updater.supersede(),
  });
  const watcher = watch(`${projectRoot}/openapi`, { ignoreInitial: true, ignored: isTemporary });
  const guides = new GuideTexts();
  watcher.on("all", (_event, file) => {
    if (guides.recordText(file)) queue.add(file);
  });
  await new Promise<void>((resolve) => watcher.once("ready", resolve));
  return {
    async close() {
      await watcher.close();
      await queue.close();
    },
  };
}

function addressesOf({ url, depositUrl }: ReplaceableMock): Record<Address, string> {
  return { base_url: url, deposit_base_url: depositUrl };
}

/** The origins under which a browser on this machine reaches the site. */
function originsOf({ url }: Site): string[] {
  const { origin, port } = new URL(url);
  return [...new Set([origin, `http://127.0.0.1:${port}`, `http://localhost:${port}`])];
}

/**
 * Whether a file looks like one that an editor creates while saving: hidden, without a plain extension, or with one for temporary files.
 */
function isTemporary(path: string, stats?: Stats): boolean {
  if (stats?.isFile() !== true) return false;
  return !/^[^.#~][^#~]*\.[a-z]{1,6}$/.test(basename(path)) || /\.(sw[a-z]|tmp|bak|orig|new)$/.test(path);
}

const guidesFolder = `${projectRoot}/openapi/guides`;

/** Ignores changes of the stored generated parts of guides, because the pages show newly generated ones. */
class GuideTexts {
  /** By path, the text without generated parts; undefined for a removed guide. */
  readonly #texts = new Map<string, string | undefined>();

  constructor() {
    for (const name of readdirSync(guidesFolder)) this.recordText(join(guidesFolder, name));
  }

  /** @returns whether a guide has changed since the last call, or is new or removed; true for every other file. */
  recordText(file: string): boolean {
    if (dirname(file) !== guidesFolder || !file.endsWith(".md")) return true;
    const text = existsSync(file) ? removeGeneratedParts(readFileSync(file, "utf8")) : undefined;
    const isSame = this.#texts.get(file) === text;
    this.#texts.set(file, text);
    return !isSame;
  }
}
