/** `npm run dev`: lints, regenerates and restarts the mock whenever something in `openapi/` is saved. */
import { relative } from "node:path";
import { parseArgs } from "node:util";
import { watch } from "chokidar";
import { parsePort } from "../contract/ports.ts";
import { type Edition, parseEdition, projectRoot } from "../contract/project.ts";
import { runCommand, UsageError } from "../contract/usage-error.ts";
import { formatEntry } from "../mock/entry-line.ts";
import { type Mock, readBundle, startMock } from "../mock/mock.ts";
import { generate } from "./build.ts";

/** Editors save in several steps; a change is taken up when nothing has moved for this long. */
const settleMs = 100;

interface Ports {
  port: number;
  depositPort: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "4010" },
      "deposit-port": { type: "string", default: "4011" },
      edition: { type: "string", default: "latest" },
    },
  });
  const edition = parseEdition(values.edition);
  const ports = {
    port: parsePort(values.port, "--port"),
    depositPort: parsePort(values["deposit-port"], "--deposit-port"),
  };
  let mock = await rebuild(edition, ports, undefined);
  console.log("Watching openapi/. Stop with Ctrl+C.");

  let timer: NodeJS.Timeout | undefined;
  let queue = Promise.resolve();
  const watcher = watch(`${projectRoot}/openapi`, { ignoreInitial: true });
  watcher.on("all", (_event, file) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      queue = queue.then(async () => {
        console.log(`\n${relative(projectRoot, file)} changed`);
        mock = await rebuild(edition, ports, mock);
      });
    }, settleMs);
  });
  const stop = () => {
    void watcher.close();
    clearTimeout(timer);
    void queue.then(() => mock?.close());
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}

/** Lints and regenerates; the mock that runs stays as it is when the contract has an error. */
async function rebuild(edition: Edition, ports: Ports, running: Mock | undefined): Promise<Mock | undefined> {
  try {
    await generate();
    await running?.close();
    const mock = await startMock({
      document: readBundle(edition),
      ...ports,
      onRequest: (entry) => console.log(formatEntry(entry)),
    });
    console.log(`Mock (${edition}) on ${mock.url} and ${mock.depositUrl}`);
    return mock;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return running;
  }
}

await runCommand(main);
