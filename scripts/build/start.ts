/** `npm start`: builds everything, then serves the site and the mock until it is stopped. */
import { parseArgs } from "node:util";
import { readContract } from "../contract/contract.ts";
import { parsePort } from "../contract/ports.ts";
import { docsFolder, parseEdition } from "../contract/project.ts";
import { runCommand } from "../contract/usage-error.ts";
import { serveSite } from "../docs/site-server.ts";
import { exampleCurl } from "../mock/curl.ts";
import { formatEntry } from "../mock/entry-line.ts";
import { readBundle, startMock } from "../mock/mock.ts";
import { build } from "./build.ts";

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      "docs-port": { type: "string", default: "4000" },
      port: { type: "string", default: "4010" },
      "deposit-port": { type: "string", default: "4011" },
      edition: { type: "string", default: "latest" },
      host: { type: "string", default: "127.0.0.1" },
    },
  });
  const { host } = values;
  const edition = parseEdition(values.edition);
  const docsPort = parsePort(values["docs-port"], "--docs-port");
  const port = parsePort(values.port, "--port");
  const depositPort = parsePort(values["deposit-port"], "--deposit-port");

  await build();
  const document = readBundle(edition);
  const site = await serveSite({ folder: docsFolder, port: docsPort, host, portOption: "--docs-port" });
  const mock = await startMock({
    document,
    port,
    depositPort,
    host,
    onRequest: (entry) => console.log(formatEntry(entry)),
  }).catch(async (error: unknown) => {
    await site.close();
    throw error;
  });
  const stop = () => void Promise.all([site.close(), mock.close()]);
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);

  console.log(`
  Reference docs        ${site.url}
  Mock (${edition})${" ".repeat(Math.max(1, 16 - edition.length - 1))}${mock.url}
    deposit address     ${mock.depositUrl}

Try: ${exampleCurl(readContract(document), mock.url)}

Any key is accepted. Choose an answer with the header Prefer: code=…, example=… Stop with Ctrl+C.`);
}

await runCommand(main);
