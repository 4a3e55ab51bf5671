/** A contract with one operation or webhook, for the tests of the edition latest. */
import { bundleContract } from "../../scripts/bundle/index.ts";
import type {
  JsonSchema,
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  ResponseObject,
} from "../../scripts/contract/index.ts";
import { memorySources } from "../support/memory-sources.ts";

/** Marks something as proposed. */
export const proposed = { "x-provenance": "proposed" };

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** JSON content. */
export const json = (schema: object, more: object = {}) => ({ content: { "application/json": { schema, ...more } } });

/** What the catalogue says of a code. */
export const advice = (meaning: string, more: object = {}) => ({
  status: 400,
  meaning,
  actor: "developer",
  retry: "never",
  resolution: "Correct it.",
  onCall: "Read the log.",
  ...more,
});

export const error = (code: string, more: object = {}) => ({
  type: "object",
  required: ["errorCode", "errorMessage"],
  properties: { errorCode: { const: code }, errorMessage: { type: "string" } },
  "x-error": advice(`Meaning of ${code}`),
  "x-provenance": "specification",
  ...more,
});

export interface Parts {
  /** What the operation `getPot` has besides its provenance `reference`. */
  get?: object;
  paths?: object;
  webhooks?: object;
  components?: object;
  /** Registers, by file. */
  files?: Record<string, object>;
}

/** The bundle of `latest`. */
export function latestOf(parts: Parts): Promise<OpenApiDocument> {
  return bundleOf(parts, "latest");
}

/** The bundle of an edition. */
export function bundleOf(
  { get, paths, webhooks, components = {}, files = {} }: Parts,
  edition: "latest" | "test",
): Promise<OpenApiDocument> {
  const answers = { responses: { 200: { description: "The pot." } } };
  const operation = { operationId: "getPot", summary: "Get Pot", "x-provenance": "reference", ...answers, ...get };
  const document = {
    openapi: "3.1.1",
    info: { title: "Pots", version: "1.0.0" },
    servers: [],
    paths: { "/pots/{potId}": { get: operation }, ...paths },
    ...(webhooks === undefined ? {} : { webhooks }),
    components,
  };
  return bundleContract(edition, memorySources({ "openapi.yaml": document, ...files }));
}

/** The operation `getPot` of a bundle. */
export function getPot(document: OpenApiDocument): OperationObject {
  return document.paths["/pots/{potId}"]?.get as OperationObject;
}

/** The JSON body of an answer of `getPot`. */
export function bodyOf(document: OpenApiDocument, status = "200"): MediaTypeObject {
  return (getPot(document).responses[status] as ResponseObject).content?.["application/json"] as MediaTypeObject;
}

/** What is left of the body of the answer 200 with this schema. */
export async function leftOf(schema: object, more: object = {}, schemas: object = {}): Promise<JsonSchema> {
  const get = { responses: { 200: { description: "The pot.", ...json(schema, more) } } };
  return bodyOf(await latestOf({ get, components: { schemas } })).schema;
}
