import { runNpmCommand } from "../kit/npm-command.ts";

const options = [
  {
    name: "node",
    value: "MAJORS",
    text: "repeat on other major versions of Node.js, the newest last: 22,24",
    check: (text: string) => (/^\d+(,\d+)*$/.test(text) ? undefined : "versions such as 22,24"),
  },
  { name: "environments", text: "try bundlers, other runtimes and frameworks" },
  { name: "reproducible", text: "build in two folders, and compare every file and the package" },
];

await runNpmCommand(
  "verify",
  { text: "Packs the package and uses it as a partner would.", options },
  async ({ has, text }) => {
    const { verify } = await import("../../tools/verify/index.ts");
    await verify({
      nodeVersions: text("node")?.split(",") ?? [],
      mustTryEnvironments: has("environments"),
      mustBuildTwice: has("reproducible"),
    });
  },
);
