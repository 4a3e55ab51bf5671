import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import SwaggerParser from "@apidevtools/swagger-parser";
import { validate as validateForReadme } from "@readme/openapi-parser";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ErrorRequestHandler, Response } from "express";
import { middleware } from "express-openapi-validator";
// @ts-expect-error: no types are installed, because they would conflict with the types of express 5.
import express from "express4";
import { sample } from "openapi-sampler";
import { describe, expect, it } from "vitest";
import { bundleFile, editionFolder, editions, type OpenApiDocument } from "../../../scripts/contract/model/index.ts";

describe.each(editions)("edition %s", (edition) => {
  const file = bundleFile(edition, "json");
  const older = `${editionFolder(edition)}/openapi-3.0.json`;
  const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as OpenApiDocument;

  it("gives openapi-sampler a valid sample of every schema", () => {
    const document = read(file);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "contract", ...document });
    const schemas = Object.entries(document.components?.schemas ?? {});
    const invalid = schemas.filter(([name, schema]) => {
      const made = sample(schema as object, { quiet: true }, document);
      return ajv.getSchema(`contract#/components/schemas/${name}`)?.(made) !== true;
    });
    expect(invalid.map(([name]) => name)).toEqual([]);
    expect(schemas.length).toBeGreaterThan(150);
  });

  it.each([file, older])("is valid for @readme/openapi-parser and swagger-parser: %s", async (path) => {
    expect(await validateForReadme(path)).toMatchObject({ valid: true });
    await expect(SwaggerParser.validate(path)).resolves.toBeDefined();
  });
});

it.each(editions.flatMap((edition) => [bundleFile(edition, "json"), `${editionFolder(edition)}/openapi-3.0.json`]))(
  "lets express-openapi-validator accept an example and refuse an empty body: %s",
  async (file) => {
    const document = JSON.parse(readFileSync(file, "utf8"));
    const path = "/v1/user/balances/crypto-and-fiat";
    const { examples } = document.paths[path].post.requestBody.content["application/json"];
    const [{ value }] = Object.values(examples) as [{ value: object }];
    const app = express();
    app.use(express.json(), ...middleware({ apiSpec: document, validateSecurity: false }));
    app.post(path, (_: unknown, response: Response) => void response.status(201).json({}));
    app.use(((error, _request, response, _next) => {
      response.status(error.status ?? 500).end();
    }) as ErrorRequestHandler);
    const server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const send = async (body: object) => {
      const headers = { "content-type": "application/json", "x-api-key": "any" };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      return (await fetch(`http://127.0.0.1:${port}${path}`, init)).status;
    };
    expect([await send(value), await send({})]).toEqual([201, 400]);
    server.close();
  },
);
