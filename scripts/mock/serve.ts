/** `npm run mock`: runs the mock in the terminal until it is stopped. */
import { parseArgs } from "node:util";
import { readContract } from "../contract/contract.ts";
import { parsePort } from "../contract/ports.ts";
import { parseEdition } from "../contract/project.ts";
import { runCommand } from "../contract/usage-error.ts";
import { exampleCurl } from "./curl.ts";
import { formatEntry } from "./entry-line.ts";
import { readBundle } from "./read-bundle.ts";

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "4010" },
      "deposit-port": { type: "string", default: "4011" },
      edition: { type: "string", default: "latest" },
      host: { type: "string", default: "127.0.0.1" },
    },
  });
  const edition = parseEdition(values.edition);
  const port = parsePort(values.port, "--port");
  const depositPort = parsePort(values["deposit-port"], "--deposit-port");
  const document = readBundle(edition);
  // Prism takes a second to load: a mistake on the command line is told before that.
  const { startMock } = await import("./mock.ts");
  const mock = await startMock({
    document,
    port,
    depositPort,
    host: values.host,
    onRequest: (entry) => console.log(formatEntry(entry)),
  });
  const stop = () => void mock.close();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  // performance.now() counts from the start of the process.
  console.log(`Mock of the edition ${edition}, ready in ${(performance.now() / 1000).toFixed(2)} s`);
  console.log(`  main address     ${mock.url}`);
  console.log(`  deposit address  ${mock.depositUrl}`);
  console.log(`Try: ${exampleCurl(readContract(document), mock.url)}`);
  console.log("Any key is accepted. Choose an answer with the header Prefer: code=…, example=… Stop with Ctrl+C.");
}

await runCommand(main);
