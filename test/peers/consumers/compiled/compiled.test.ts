import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { x } from "tinyexec";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Edition,
  editionFolder,
  editions,
  projectRoot,
  readContract,
} from "../../../../scripts/contract/model/index.ts";
import { startMock } from "../../../../scripts/mock/index.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const here = `${projectRoot}/test/peers/consumers/compiled`;
const peers = `${projectRoot}/test/peers/node_modules`;
const seconds = { compile: 300_000 };

/** Sources of the Debian package golang-github-getkin-kin-openapi-dev; the compiler is in golang-go. */
const goPackages = "/usr/share/gocode";
const hasGo = existsSync("/usr/bin/go") && existsSync(`${goPackages}/src/github.com/getkin/kin-openapi`);

/** In the Debian packages libjackson2-databind-java and libjaxb-api-java. */
const jars = ["jackson-core", "jackson-annotations", "jackson-databind", "jaxb-api"].map(
  (name) => `/usr/share/java/${name}.jar`,
);
const hasJava = existsSync("/usr/bin/javac") && jars.every((jar) => existsSync(jar));

const folder = temporaryFolder();

const fileOf = (edition: Edition) => `${editionFolder(edition)}/openapi-3.0.json`;
const documentOf = (edition: Edition) => JSON.parse(readFileSync(fileOf(edition), "utf8"));

function javaFilesOf(path: string): string[] {
  return readdirSync(path).flatMap((name) => (name.endsWith(".java") ? join(path, name) : []));
}

async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await x(command, args, { nodeOptions: { env: { ...process.env, ...env } } });
  expect(exitCode, `${command}: ${stdout}${stderr}`).toBe(0);
  return stdout;
}

describe.skipIf(!hasGo)("kin-openapi (needs golang-go and golang-github-getkin-kin-openapi-dev)", () => {
  const program = () => join(folder, "kin-openapi");
  beforeAll(async () => {
    const env = { GOPATH: goPackages, GO111MODULE: "off", GOCACHE: join(folder, "go-cache") };
    await run("go", ["build", "-o", program(), `${here}/kin-openapi.go`], env);
  }, seconds.compile);

  it.each(editions)("reads the edition %s, accepts its examples of requests, and calls the mock", async (edition) => {
    const { operations } = readContract(documentOf(edition));
    const bodies = operations.map(({ requestBody }) => requestBody?.bodies ?? []);
    const requests = bodies.flatMap((own) =>
      own.length === 0 ? [1] : own.map(({ mediaType, examples }) => (mediaType.endsWith("json") ? examples.length : 0)),
    );
    const mock = await startMock({ edition });
    const printed = await run(program(), [fileOf(edition), mock.url]).finally(() => mock.close());
    const sum = requests.reduce((total, each) => total + each, 0);
    expect(JSON.parse(printed)).toEqual({ operations: operations.length, requests: sum, status: 201 });
  });
});

describe.skipIf(!hasJava)("Java (needs a JDK, libjackson2-databind-java and libjaxb-api-java)", () => {
  it.each(editions)(
    "compiles what openapi-generator-plus makes of the edition %s, and calls the mock with it",
    async (edition) => {
      const output = join(folder, edition);
      const config = {
        inputPath: fileOf(edition),
        outputPath: output,
        generator: `${peers}/@openapi-generator-plus/java-jaxrs-client-generator`,
        package: "com.example.wallet",
        useBeanValidation: false,
        dateImplementation: "java.lang.String",
      };
      writeFileSync(`${output}.json`, JSON.stringify(config));
      await run(process.execPath, [`${peers}/openapi-generator-plus/bin/ogplus.js`, "-c", `${output}.json`]);
      const sources = [`${output}/com/example/wallet/model`, here, `${here}/annotations`].flatMap(javaFilesOf);
      const classes = ["-cp", [...jars, output].join(":")];
      await run("javac", ["-nowarn", "-proc:none", ...classes, "-d", output, ...sources]);

      const [body] = readContract(documentOf(edition)).operations.flatMap(({ operationId, requestBody }) =>
        operationId === "createUserAccount" ? (requestBody?.bodies ?? []) : [],
      );
      const mock = await startMock({ edition });
      const args = [...classes, "CreateUser", mock.url, JSON.stringify(body?.examples[0]?.value)];
      const printed = await run("java", args).finally(() => mock.close());
      expect(printed).toMatch(/^201 [0-9a-f-]{36}\n$/);
    },
    seconds.compile,
  );
});
