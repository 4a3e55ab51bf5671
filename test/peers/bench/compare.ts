/** `npm run bench:clients` */
import { runNpmCommand } from "../../../scripts/cli/kit/npm-command.ts";

const text =
  "Compares sizes and processor time of this client with those of the clients that hey-api and kubb generate.";
const options = [{ name: "short", text: "make a tenth of the rounds, to see that everything works" }];

await runNpmCommand("bench:clients", { text, options }, async ({ has }) => {
  const { compareClients } = await import("./clients.ts");
  await compareClients(has("short") ? 0.1 : 1);
});
