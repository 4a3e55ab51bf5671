/** `npm run mock:prism`: runs the stock command `prism mock`. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { bundleFile, projectRoot } from "../../base/index.ts";
import { runNpmCommand } from "../kit/npm-command.ts";
import { closeOnSignal } from "../kit/shutdown.ts";
import { addressOptions, editionOption, readAddressOptions } from "../package/mock-options.ts";

/** Runs one Prism process for each address. Both serve all paths, because Prism cannot assign paths to addresses. */
async function runPrism({ edition, host, port, depositPort }: ReturnType<typeof readAddressOptions>): Promise<number> {
  const program = `${projectRoot}/node_modules/@stoplight/prism-cli/dist/index.js`;
  const env = { ...process.env, SCARF_ANALYTICS: "false", ...(process.stdout.isTTY && { FORCE_COLOR: "1" }) };
  const servers = [port, depositPort].map((number) => {
    const args = ["mock", bundleFile(edition, "yaml"), "--host", host, "--port", String(number)];
    return keepRunning(() =>
      spawn(process.execPath, [program, ...args], { stdio: ["inherit", "pipe", "inherit"], env }),
    );
  });
  const stop = () => servers.forEach((server) => void server.stop());
  const exitCodes = servers.map((server) => server.exitCode);
  closeOnSignal(async () => {
    stop();
    await Promise.all(exitCodes);
  }, 5000);
  await Promise.race(exitCodes);
  stop();
  const codes = await Promise.all(exitCodes);
  return codes.find((code) => code !== 0) ?? 0;
}

/**
 * Runs Prism, and restarts it if it fails after it has started to listen. An exception, for example for a malformed form, makes Prism exit.
 *
 * @returns `exitCode` resolves to the exit code if Prism fails before it listens; to 0 after `stop`, or if Prism ends by a signal or with 0.
 */
function keepRunning(start: () => ChildProcess): { stop(): void; readonly exitCode: Promise<number> } {
  let child: ChildProcess | undefined;
  let isStopped = false;
  const runUntilStopped = async (): Promise<number> => {
    for (;;) {
      child = start();
      let hasListened = false;
      child.stdout?.on("data", (chunk: Buffer) => {
        hasListened ||= chunk.includes("is listening");
        process.stdout.write(chunk);
      });
      const [code] = (await once(child, "exit")) as [number | null];
      // After a signal, for example from the terminal, Prism has no exit code.
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
    exitCode: runUntilStopped(),
  };
}

const text =
  "Runs the stock command prism mock on the two addresses of the contract until it is stopped.\nIt responds with the documented examples and stores nothing; npm run mock keeps state.";
await runNpmCommand(
  "mock:prism",
  { text, options: [...addressOptions, editionOption("latest")] },
  async (parsedArgs) => {
    process.exitCode = await runPrism(readAddressOptions(parsedArgs));
  },
);
