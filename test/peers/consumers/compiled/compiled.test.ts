import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { x } from "tinyexec";
import { beforeAll, describe, expect, it } from "vitest";
import { editions, projectRoot } from "../../../../scripts/base/index.ts";
import { readContract } from "../../../../scripts/contract/model/index.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { madeUpName, startConversation } from "../conversation.ts";

const compiledFolder = `${projectRoot}/test/peers/consumers/compiled`;
const peers = `${projectRoot}/test/peers/node_modules`;
const timeoutsMs = { compile: 300_000 };

/** Where Debian installs Go libraries. `.ci/system-packages` installs the library that these tests need. */
const goPackages = "/usr/share/gocode";
const hasGo = existsSync("/usr/bin/go") && existsSync(`${goPackages}/src/github.com/getkin/kin-openapi`);

const jars = ["jackson-core", "jackson-annotations", "jackson-databind", "jaxb-api"].map(
  (name) => `/usr/share/java/${name}.jar`,
);
const hasJava = existsSync("/usr/bin/javac") && jars.every((jar) => existsSync(jar));

const folder = temporaryFolder();

function javaFilesOf(path: string): string[] {
  return readdirSync(path).flatMap((name) => (name.endsWith(".java") ? join(path, name) : []));
}

async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await x(command, args, { nodeOptions: { env: { ...process.env, ...env } } });
  expect(exitCode, `${command}: ${stdout}${stderr}`).toBe(0);
  return stdout;
}

describe.skipIf(!hasGo)("kin-openapi, installed by .ci/system-packages,", () => {
  const programPath = () => join(folder, "kin-openapi");
  beforeAll(async () => {
    const env = { GOPATH: goPackages, GO111MODULE: "off", GOCACHE: join(folder, "go-cache") };
    await run("go", ["build", "-o", programPath(), `${compiledFolder}/kin-openapi.go`], env);
  }, timeoutsMs.compile);

  it.each(editions)("validates the edition %s with its examples, and what it sends and receives", async (edition) => {
    const { file, document, programInput, close, ...mock } = await startConversation(edition);
    const { operations } = readContract(document);
    const requests = operations.flatMap(({ requestBody }) => {
      const json = requestBody?.bodies.filter(({ mediaType }) => mediaType.endsWith("json"));
      return json?.flatMap(({ examples }) => examples) ?? [undefined];
    });
    const bodies = join(folder, `${edition}-go.json`);
    writeFileSync(bodies, JSON.stringify(programInput));
    const output = await run(programPath(), [file, mock.url, bodies]).finally(close);
    expect(JSON.parse(output)).toEqual({
      operations: operations.length,
      requests: requests.length,
      user: expect.any(String),
      records: 14,
      amount: programInput.transfer.amount,
      events: programInput.events.map(({ schema }) => schema),
    });
    expect(programInput.events).toHaveLength(18);
  });
});

describe.skipIf(!hasJava)("Java, installed by .ci/system-packages,", () => {
  // Only `test` is read, because `latest` is a subset of it (test/contract/bundle/edition.test.ts).
  it(
    "reads with what openapi-generator-plus makes of the document",
    async () => {
      const { file, programInput, close, ...mock } = await startConversation("test");
      const output = join(folder, "java");
      const bodies = `${output}-bodies.json`;
      const config = {
        inputPath: file,
        outputPath: output,
        generator: `${peers}/@openapi-generator-plus/java-jaxrs-client-generator`,
        package: "com.example.wallet",
        useBeanValidation: false,
        dateImplementation: "java.lang.String",
        dateTimeImplementation: "java.lang.String",
      };
      writeFileSync(`${output}.json`, JSON.stringify(config));
      writeFileSync(bodies, JSON.stringify(programInput));
      await run(process.execPath, [`${peers}/openapi-generator-plus/bin/ogplus.js`, "-c", `${output}.json`]);
      const model = javaFilesOf(`${output}/com/example/wallet/model`);
      const classes = ["-cp", [...jars, output].join(":")];
      const sources = [...model, ...[compiledFolder, `${compiledFolder}/annotations`].flatMap(javaFilesOf)];
      await run("javac", ["-nowarn", "-proc:none", ...classes, "-d", output, ...sources]);
      const printedLines = await run("java", [...classes, "Conversation", mock.url, bodies]).finally(close);
      expect(printedLines.trimEnd().split("\n")).toEqual([
        expect.stringMatching(/^user [0-9a-f-]{36}$/),
        "P411",
        `transfer ${programInput.transfer.amount} ${programInput.transfer.currency} IN_PROGRESS`,
        "refused P433",
        "history 14 true",
        ...programInput.events.map(({ schema }) => `${schema} true`),
      ]);
      expect(model.filter((name) => madeUpName.test(name))).toEqual([]);
    },
    timeoutsMs.compile,
  );
});
