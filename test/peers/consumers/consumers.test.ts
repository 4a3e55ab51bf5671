import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import { Validator } from "@seriousme/openapi-schema-validator";
import { type Document, OpenAPIBackend } from "openapi-backend";
import { describe, expect, it } from "vitest";
import {
  bundleFile,
  editions,
  type OpenApiDocument,
  type Operation,
  readContract,
} from "../../../scripts/contract/model/index.ts";
import { document } from "../../mock/control/document.ts";

describe.each(editions)("edition %s", (edition) => {
  const file = bundleFile(edition, "json");
  const text = readFileSync(file, "utf8");
  const read = () => JSON.parse(text) as OpenApiDocument;
  const contract = readContract(read());

  it("is valid for a second OpenAPI 3.1 validator", async () => {
    const validator = new Validator();
    expect(await validator.validate(text)).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  it("gives another generator a function for every operation", async () => {
    const output = mkdtempSync(join(tmpdir(), "hey-api-"));
    try {
      await createClient({ input: file, output, logs: { level: "silent" } });
      const generated = readdirSync(output).includes("sdk.gen.ts")
        ? readFileSync(join(output, "sdk.gen.ts"), "utf8")
        : "";
      const missing = contract.operations.filter(
        ({ operationId }) => !generated.includes(`export const ${operationId} =`),
      );
      expect(missing.map(({ operationId }) => operationId)).toEqual([]);
    } finally {
      rmSync(output, { recursive: true, force: true });
    }
  });

  it("routes and mocks every operation in another server", async () => {
    // `quick` skips the check of the definition, which supports only OpenAPI 3.0. The router and the mock support 3.1.
    const backend = new OpenAPIBackend({ definition: withoutServers(read()), quick: true, validate: false });
    await backend.init();
    const routed = contract.operations.map((operation) => {
      const found = backend.matchOperation({ method: operation.method, path: examplePath(operation), headers: {} });
      return found?.operationId;
    });
    expect(routed).toEqual(contract.operations.map(({ operationId }) => operationId));
    for (const { operationId, responses } of contract.operations) {
      const success = responses.find(({ status }) => status < 300);
      const { status, mock } = backend.mockResponseForOperation(operationId);
      expect([operationId, status]).toEqual([operationId, success?.status]);
      const examples = success?.bodies[0]?.examples.map(({ value }) => value) ?? [];
      // In the edition latest, a response that no source shows has no example.
      expect(examples.length > 0 ? examples : [{}]).toContainEqual(mock);
    }
  });
});

it("finds the document of the mock's control interface valid as well", async () => {
  const { valid, errors } = await new Validator().validate(
    structuredClone(document) as unknown as Record<string, unknown>,
  );
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

function examplePath({ path, parameters }: Operation): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    return encodeURIComponent(String(parameters.find((parameter) => parameter.name === name)?.example));
  });
}

/** The router does not resolve variables in server URLs, but each server URL of the contract is a variable. */
function withoutServers(document: OpenApiDocument): Document {
  return { ...document, servers: [] } as unknown as Document;
}
