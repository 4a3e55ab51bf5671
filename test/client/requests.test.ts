import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonSchema, Operation } from "../../scripts/contract/model/index.ts";
import { exampleCalls, makeClient } from "../support/clients.ts";
import { contractOf } from "../support/contract.ts";
import { readBody, serve, type TestServer } from "../support/http.ts";
import { dereference, propertiesOf, violations } from "../support/schema.ts";

interface CapturedRequest {
  server: "main" | "deposit";
  request: IncomingMessage;
  body: Buffer;
}

let capturedRequests: CapturedRequest[] = [];
let servers: Record<"main" | "deposit", TestServer>;

beforeAll(async () => {
  const capture = (server: "main" | "deposit") =>
    serve(async (request, response) => {
      capturedRequests.push({ server, request, body: await readBody(request) });
      response.writeHead(401, { "content-type": "application/json" }).end('{"errorMessage":"Access Denied"}');
    });
  servers = { main: await capture("main"), deposit: await capture("deposit") };
});

afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));

describe("every operation", async () => {
  const contract = await contractOf("test");
  const plainDocument = dereference(contract.document);
  const calls = contract.operations.flatMap((operation) =>
    exampleCalls(operation).map((call) => ({ operation, operationId: operation.operationId, ...call })),
  );

  it.each(calls)("$operationId sends the request of the contract ($name)", async ({ operation, options }) => {
    capturedRequests = [];
    const client = makeClient("test", {
      baseUrl: `${servers.main.url}/`,
      depositBaseUrl: servers.deposit.url,
      apiKey: "key-of-the-test",
    });
    await client[operation.operationId]?.(options);

    expect(capturedRequests).toHaveLength(1);
    const { server, request, body } = capturedRequests[0] as CapturedRequest;
    const url = new URL(request.url ?? "", "http://127.0.0.1");
    expect(server).toBe(operation.address === "base_url" ? "main" : "deposit");
    expect(request.method?.toLowerCase()).toBe(operation.method);
    expect(request.headers["x-api-key"]).toBe("key-of-the-test");
    expect(pathViolations(operation, url.pathname)).toEqual([]);
    expect(queryViolations(operation, url.searchParams)).toEqual([]);
    expect(await bodyViolations(operation, request, body)).toEqual([]);
  });

  function pathViolations(operation: Operation, pathname: string): string[] {
    const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string);
    const pattern = new RegExp(`^${operation.path.replaceAll(/\{[^}]+\}/g, "([^/]+)")}$`);
    const values = pattern.exec(pathname)?.slice(1);
    if (values === undefined) return [`${pathname} does not fit ${operation.path}`];
    return names.flatMap((name, index) =>
      parameterViolations(operation, name, decodeURIComponent(values[index] ?? "")),
    );
  }

  function queryViolations(operation: Operation, query: URLSearchParams): string[] {
    const requiredParameters = operation.parameters.filter(
      (parameter) => parameter.in === "query" && parameter.required,
    );
    const missingNames = requiredParameters.map(({ name }) => name).filter((name) => !query.has(name));
    return [
      ...missingNames.map((name) => `${name} is missing`),
      ...[...query].flatMap(([name, value]) => parameterViolations(operation, name, value)),
    ];
  }

  function parameterViolations(operation: Operation, name: string, value: string): string[] {
    const item = plainDocument.paths[operation.path];
    const parameters = [...(item?.parameters ?? []), ...(item?.[operation.method]?.parameters ?? [])];
    const parameter = parameters.find((candidate) => "name" in candidate && candidate.name === name);
    if (parameter === undefined || !("schema" in parameter)) return [`${name} is not a parameter`];
    const schema = parameter.schema as JsonSchema;
    const isNumber = schema.type === "number" || schema.type === "integer";
    return violations(schema, isNumber && value.trim() !== "" ? Number(value) : value);
  }

  async function bodyViolations(operation: Operation, request: IncomingMessage, body: Buffer): Promise<string[]> {
    const contentType = request.headers["content-type"] ?? "";
    const requestBody = plainDocument.paths[operation.path]?.[operation.method]?.requestBody;
    if (requestBody === undefined || !("content" in requestBody)) {
      return body.length === 0 ? [] : ["there is a body"];
    }
    const [mediaType, media] = Object.entries(requestBody.content)[0] ?? [];
    if (mediaType === undefined || media === undefined) return ["the contract has no media type"];
    if (!contentType.startsWith(mediaType)) return [`the content type is ${contentType}`];
    const schema = media.schema as JsonSchema;
    if (mediaType === "application/json") return violations(schema, JSON.parse(body.toString("utf8")));
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
    const order = Object.keys(propertiesOf(schema));
    const positions = [...form.keys()].map((name) => order.indexOf(name));
    return [
      ...(positions.includes(-1) ? ["there is a part that is not in the contract"] : []),
      ...(positions.every((position, index) => index === 0 || position >= (positions[index - 1] as number))
        ? []
        : ["the parts are out of order"]),
      ...[...form.values()].flatMap((part) =>
        part instanceof File && part.name.endsWith(".png") ? [] : ["a part is no file"],
      ),
    ];
  }
});
