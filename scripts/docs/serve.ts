/** `npm run docs`: serves the built site until it is stopped. */
import { parseArgs } from "node:util";
import { parsePort } from "../contract/ports.ts";
import { docsFolder } from "../contract/project.ts";
import { runCommand } from "../contract/usage-error.ts";
import { serveSite } from "./site-server.ts";

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: "string", default: "4000" }, host: { type: "string", default: "127.0.0.1" } },
  });
  const site = await serveSite({ folder: docsFolder, port: parsePort(values.port, "--port"), host: values.host });
  const stop = () => void site.close();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  console.log(`The reference is at ${site.url}/ Stop with Ctrl+C.`);
}

await runCommand(main);
