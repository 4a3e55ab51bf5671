/** Runs programs with TypeScript code that generators make from the OpenAPI 3.0 document. The folder `compiled` tests other languages. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { x } from "tinyexec";
import { expect, it } from "vitest";
import { projectRoot } from "../../../scripts/base/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import {
  generateWithHeyApi,
  generateWithKubb,
  generateWithOrval,
  generateWithSwaggerTypescriptApi,
} from "../generators.ts";
import { madeUpName, startConversation } from "./conversation.ts";
import { problemsOf } from "./problems-of.ts";

interface Generator {
  generate(input: string, output: string, baseUrl: string): Promise<void>;
  /** The generated module that exports the types. */
  typesModule: string;
  /** TypeScript code with the functions `createUser`, `pay`, `read` and `readHistory`, which resolve to the body of a response. */
  callFunctions(baseUrl: string): string;
}

const functions = "createUserAccount, createTransfer, getTransferDetails, getUserTransactionHistory";
const headers = { "x-api-key": "any" };

const generators: Record<string, Generator> = {
  "hey-api": {
    generate: generateWithHeyApi,
    typesModule: "index",
    callFunctions: (baseUrl) => `
      import { ${functions} } from "./generated/index";
      import { client } from "./generated/client.gen";
      client.setConfig(${JSON.stringify({ baseUrl, auth: "any", throwOnError: true })});
      const throwOnError = true;
      const createUser = async (body: UserAccountRequest) => (await createUserAccount({ body, throwOnError })).data;
      const pay = async (body: TransferRequest) => (await createTransfer({ body, throwOnError })).data;
      const read = async (transferId: string) =>
        (await getTransferDetails({ path: { transferId }, throwOnError })).data;
      const readHistory = async (externalUserId: string, month: string, year: string) =>
        (await getUserTransactionHistory({ path: { externalUserId, month, year }, throwOnError })).data;`,
  },
  kubb: {
    generate: generateWithKubb,
    typesModule: "index",
    callFunctions: (baseURL) => `
      import { ${functions} } from "./generated/index";
      import { setConfig } from "./generated/.kubb/fetch";
      setConfig(${JSON.stringify({ baseURL, headers: { ...headers, "content-type": "application/json" } })});
      const createUser = async (body: UserAccountRequest) => (await createUserAccount(body)).data;
      const pay = async (body: TransferRequest) => (await createTransfer(body)).data;
      const read = async (transferId: string) => (await getTransferDetails(transferId)).data;
      const readHistory = async (externalUserId: string, month: string, year: string) =>
        (await getUserTransactionHistory(externalUserId, month, year)).data;`,
  },
  orval: {
    generate: generateWithOrval,
    typesModule: "api",
    callFunctions: () => `
      import { ${functions} } from "./generated/api";
      const options = ${JSON.stringify({ headers })};
      function bodyOf<Answer extends { status: number; data: unknown }, Status extends Answer["status"]>(
        answer: Answer,
        status: Status,
      ): Extract<Answer, { status: Status }>["data"] {
        if (answer.status !== status) throw new Error(JSON.stringify(answer.data));
        return answer.data;
      }
      const createUser = async (body: UserAccountRequest) => bodyOf(await createUserAccount(body, options), 201);
      const pay = async (body: TransferRequest) => bodyOf(await createTransfer(body, options), 201);
      const read = async (transferId: string) => bodyOf(await getTransferDetails(transferId, options), 200);
      const readHistory = async (externalUserId: string, month: string, year: string) =>
        bodyOf(await getUserTransactionHistory(externalUserId, month, year, options), 200);`,
  },
  "swagger-typescript-api": {
    generate: async (input, output) => {
      await generateWithSwaggerTypescriptApi(input, output);
      // The generator turns off the compiler's checks of its file.
      const file = join(output, "api.ts");
      writeFileSync(file, readFileSync(file, "utf8").replace("// @ts-nocheck", ""));
    },
    typesModule: "api",
    callFunctions: (baseUrl) => `
      import { Api } from "./generated/api";
      const { v1 } = new Api(${JSON.stringify({ baseUrl, baseApiParams: { headers } })});
      const createUser = async (body: UserAccountRequest) => (await v1.createUserAccount(body)).data;
      const pay = async (body: TransferRequest) => (await v1.createTransfer(body)).data;
      const read = async (transferId: string) => (await v1.getTransferDetails(transferId)).data;
      const readHistory = async (externalUserId: string, month: string, year: string) =>
        (await v1.getUserTransactionHistory(externalUserId, month, year)).data;`,
  },
};

const folder = temporaryFolder();

// The bundle `latest` is a subset of `test` (test/contract/bundle/edition.test.ts).
const edition = "test";

it.each(Object.entries(generators))(
  "%s creates a user, pays and reads",
  async (name, { generate, typesModule, callFunctions }) => {
    const { file, programInput, close, ...mock } = await startConversation(edition);
    const output = join(folder, name);
    await generate(file, join(output, "generated"), mock.url);
    const paths = readdirSync(join(output, "generated"), { recursive: true, encoding: "utf8" });
    const files = paths.filter((path) => path.endsWith(".ts")).map((path) => join(output, "generated", path));
    const text = files.map((path) => readFileSync(path, "utf8")).join("\n");
    const declarations = [...text.matchAll(/^export (?:declare )?(?:type|interface|enum|const|class) (\w+)/gm)];
    const names = declarations.map(([, declaredName = ""]) => declaredName);
    const nameOf = (schema: string) =>
      names.find((candidate) => candidate.toLowerCase() === schema.toLowerCase()) ?? schema;

    // The program contains the bodies of the events, so that the compiler checks each member.
    const events = programInput.events.map(({ schema, body }, index) => ({
      type: nameOf(schema),
      constant: `event${index}`,
      text: JSON.stringify(body),
    }));
    const typeNames = [...new Set(["UserAccountRequest", "TransferRequest", ...events.map(({ type }) => type)])];
    const program = join(output, "program.ts");
    writeFileSync(join(output, "package.json"), '{ "type": "module" }');
    writeFileSync(
      program,
      `import type { ${typeNames.join(", ")} } from "./generated/${typesModule}";
    ${callFunctions(mock.url)}
    ${events.map(({ type, constant, text: body }) => `const ${constant}: ${type} = ${body};`).join("\n")}
    const { userId } = await createUser(${JSON.stringify(programInput.user)});
    const { amount, status } = await read((await pay(${JSON.stringify(programInput.transfer)})).transferId);
    const history = await readHistory(${JSON.stringify(programInput.history.split("/").slice(-3)).slice(1, -1)});
    const isComplete = history.every((record) => record.id.length === 36 && record.createdAt.endsWith("Z"));
    const { status: eventStatus } = event${programInput.events.findIndex(({ schema }) => schema === "TransferEvent")};
    console.log(JSON.stringify({ userId, amount, status, records: history.length, isComplete, eventStatus }));
    export {};`,
    );
    expect(await problemsOf([program, ...files])).toEqual([]);
    const projectOptions = { nodeOptions: { cwd: projectRoot } };
    const { stdout, stderr } = await x(process.execPath, ["--import", "tsx", program], projectOptions);
    await close();
    expect(JSON.parse(stdout || "null"), stderr).toEqual({
      userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      amount: programInput.transfer.amount,
      status: "IN_PROGRESS",
      records: 14,
      isComplete: true,
      eventStatus: "SUCCESSFUL",
    });
    expect(names.filter((candidate) => madeUpName.test(candidate))).toEqual([]);
  },
);
