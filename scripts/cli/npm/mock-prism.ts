/** `npm run mock:prism`: runs the stock command `prism mock` with the bundles of this repository. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { bundleFile, projectRoot } from "../../contract/model/index.ts";
import { run } from "../kit/npm-command.ts";
import { closeOnSignal } from "../kit/shutdown.ts";
import { addressOf, addressOptions, editionOption } from "../package/mock-options.ts";

/** Both processes serve all paths, because Prism cannot separate the addresses. */
async function runPrism({ edition, host, port, depositPort }: ReturnType<typeof addressOf>): Promise<number> {
  const program = `${projectRoot}/node_modules/@stoplight/prism-cli/dist/index.js`;
  const env = { ...process.env, SCARF_ANALYTICS: "false", ...(process.stdout.isTTY && { FORCE_COLOR: "1" }) };
  const servers = [port, depositPort].map((number) => {
    const args = ["mock", bundleFile(edition, "yaml"), "--host", host, "--port", String(number)];
    return keepRunning(() =>
      spawn(process.execPath, [program, ...args], { stdio: ["inherit", "pipe", "inherit"], env }),
    );
  });
  const stop = () => servers.forEach((server) => void server.stop());
  const ends = servers.map((server) => server.ended);
  closeOnSignal(async () => {
    stop();
    await Promise.all(ends);
  }, 5000);
  await Promise.race(ends);
  stop();
  const codes = await Promise.all(ends);
  return codes.find((code) => code !== 0) ?? 0;
}

/**
 * Starts Prism again whenever it ends by itself after it has listened: an exception in its process, such as for a malformed form, ends it.
 *
 * @returns `ended` with the exit code of a Prism that ended before it listened; 0 for one that was stopped.
 */
function keepRunning(start: () => ChildProcess): { stop(): void; readonly ended: Promise<number> } {
  let child: ChildProcess | undefined;
  let isStopped = false;
  const run = async (): Promise<number> => {
    for (;;) {
      child = start();
      let hasListened = false;
      child.stdout?.on("data", (chunk: Buffer) => {
        hasListened ||= chunk.includes("is listening");
        process.stdout.write(chunk);
      });
      const [code] = (await once(child, "exit")) as [number | null];
      // A signal of the terminal ends it without a code.
      if (isStopped || code === null || code === 0) return 0;
      if (!hasListened) return code;
      console.error("This request made Prism exit. It is started again; npm run mock can answer the request.");
    }
  };
  return {
    stop: () => {
      isStopped = true;
      child?.kill();
    },
    ended: run(),
  };
}

const text =
  "Runs the stock command prism mock on the two addresses of the contract until it is stopped.\nIt responds with the documented examples and stores nothing; npm run mock keeps state.";
await run("mock:prism", { text, options: [...addressOptions, editionOption("latest")] }, async (given) => {
  process.exitCode = await runPrism(addressOf(given));
});
