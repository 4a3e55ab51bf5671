import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import SwaggerParser from "@apidevtools/swagger-parser";
import { validate as validateForReadme } from "@readme/openapi-parser";
import { validate as validateForScalar } from "@scalar/openapi-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ErrorRequestHandler, Request, Response } from "express";
import { middleware } from "express-openapi-validator";
// @ts-expect-error: no types are installed, because they would conflict with the types of express 5.
import express from "express4";
import { type Document, OpenAPIBackend } from "openapi-backend";
import { sample } from "openapi-sampler";
import { describe, expect, it } from "vitest";
import { bundleFile, editionFolder, editions } from "../../../scripts/base/index.ts";
import { type OpenApiDocument, type Operation, readContract } from "../../../scripts/contract/model/index.ts";
import { document as mockControl } from "../../mock/control/document.ts";

const readDocument = (path: string) => JSON.parse(readFileSync(path, "utf8")) as OpenApiDocument;

describe.each(editions)("edition %s", (edition) => {
  const file = bundleFile(edition, "json");
  const olderFile = `${editionFolder(edition)}/openapi-3.0.json`;

  it("is valid for openapi-schema-validator and Scalar's parser", async () => {
    const text = readFileSync(file, "utf8");
    const validator = new Validator();
    expect(await validator.validate(text)).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    expect(await validateForScalar(text)).toMatchObject({ valid: true, version: "3.1" });
  });

  it.each([file, olderFile])("is valid for @readme/openapi-parser and swagger-parser: %s", async (path) => {
    expect(await validateForReadme(path)).toMatchObject({ valid: true });
    await expect(SwaggerParser.validate(path)).resolves.toBeDefined();
  });

  it("gives openapi-sampler a valid sample of every schema", () => {
    const document = readDocument(file);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "contract", ...document });
    const schemas = Object.entries(document.components?.schemas ?? {});
    const invalidSchemas = schemas.filter(([name, schema]) => {
      const sampleValue = sample(schema as object, { quiet: true }, document);
      return ajv.getSchema(`contract#/components/schemas/${name}`)?.(sampleValue) !== true;
    });
    expect(invalidSchemas.map(([name]) => name)).toEqual([]);
    expect(schemas.length).toBeGreaterThan(150);
  });

  it("is routed and mocked by openapi-backend", async () => {
    const { operations } = readContract(readDocument(file));
    // The router does not resolve the variables of server URLs. `quick` skips the check of the definition, which supports only OpenAPI 3.0.
    const definition = { ...readDocument(file), servers: [] } as unknown as Document;
    const backend = new OpenAPIBackend({ definition, quick: true, validate: false });
    await backend.init();
    const routedIds = operations.map((operation) => {
      return backend.matchOperation({ method: operation.method, path: examplePath(operation), headers: {} })
        ?.operationId;
    });
    expect(routedIds).toEqual(operations.map(({ operationId }) => operationId));
    for (const { operationId, responses } of operations) {
      const success = responses.find(({ status }) => status < 300);
      const { status, mock } = backend.mockResponseForOperation(operationId);
      expect([operationId, status]).toEqual([operationId, success?.status]);
      const examples = success?.bodies[0]?.examples.map(({ value }) => value) ?? [];
      // In the edition `latest`, a response has no example if no source document gives one.
      expect(examples.length > 0 ? examples : [{}]).toContainEqual(mock);
    }
  });

  it.each([file, olderFile])("lets express-openapi-validator judge requests and responses: %s", async (path) => {
    const apiSpec = JSON.parse(readFileSync(path, "utf8"));
    const route = "/v1/user/balances/crypto-and-fiat";
    const { examples } = apiSpec.paths[route].post.requestBody.content["application/json"];
    const [{ value }] = Object.values(examples) as [{ value: object }];
    const details = "/v1/transfer/details/:transferId";
    const transfer = {
      id: "99ef936a-c3a8-4b56-a886-5529228dc519",
      sourceExternalUserId: "user-2077",
      amount: "900.00",
      currency: "eur",
      status: "SUCCESSFUL",
      createdAt: "2026-04-03T12:00:00.000Z",
    };
    const app = express();
    app.use(express.json(), ...middleware({ apiSpec, validateSecurity: false, validateResponses: true }));
    const user = { userId: transfer.id, poaRequiredForExtended: true };
    app.post(route, (_: unknown, response: Response) => void response.status(201).json(user));
    app.get(details, ({ params }: Request, response: Response) => {
      const isConforming = params.transferId === transfer.id;
      response.json({ ...transfer, destinationExternalUserId: isConforming ? null : 1 });
    });
    app.use(((error, _request, response, _next) => {
      response.status(error.status ?? 500).end();
    }) as ErrorRequestHandler);
    const server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const send = async (body: object) => {
      const headers = { "content-type": "application/json", "x-api-key": "any" };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      return (await fetch(`http://127.0.0.1:${port}${route}`, init)).status;
    };
    const receive = async (id: string) => {
      const address = `http://127.0.0.1:${port}${details.replace(":transferId", id)}`;
      return (await fetch(address, { headers: { "x-api-key": "any" } })).status;
    };
    expect([await send(value), await send({})]).toEqual([201, 400]);
    expect([await receive(transfer.id), await receive(user.userId.replace(/9$/, "8"))]).toEqual([200, 500]);
    server.close();
  });
});

it("the document of the mock's control interface is valid for openapi-schema-validator", async () => {
  const control = structuredClone(mockControl) as unknown as Record<string, unknown>;
  expect(await new Validator().validate(control)).toEqual({ valid: true });
});

function examplePath({ path, parameters }: Operation): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    return encodeURIComponent(String(parameters.find((parameter) => parameter.name === name)?.example));
  });
}
