import { docsFolder } from "../../base/index.ts";
import { portOption } from "../kit/arguments.ts";
import { runNpmCommand } from "../kit/npm-command.ts";
import { closeOnSignal } from "../kit/shutdown.ts";
import { hostOption } from "../package/mock-options.ts";

const options = [portOption("port", "the site", 4000), hostOption];

await runNpmCommand(
  "docs",
  { text: "Serves the built reference docs until it is stopped.", options },
  async ({ requiredText }) => {
    const { serveSite } = await import("../../site/index.ts");
    const site = await serveSite({
      folder: docsFolder,
      port: Number(requiredText("port")),
      host: requiredText("host"),
    });
    closeOnSignal(() => site.close());
    console.log(`The reference is at ${site.url}/ Stop with Ctrl+C.`);
  },
);
