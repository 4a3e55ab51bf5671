/** `npm run docs` */
import { docsFolder } from "../contract/index.ts";
import { portOption } from "../mock/command/arguments.ts";
import { hostOption } from "../mock/command/mock-options.ts";
import { closeOnSignal, run } from "./command.ts";

const options = [portOption("port", "the site", 4000), hostOption];

await run("docs", { text: "Serves the built reference docs until it is stopped.", options }, async ({ required }) => {
  const { serveSite } = await import("../docs/server/site-server.ts");
  const site = await serveSite({ folder: docsFolder, port: Number(required("port")), host: required("host") });
  closeOnSignal(() => site.close());
  console.log(`The reference is at ${site.url}/ Stop with Ctrl+C.`);
});
