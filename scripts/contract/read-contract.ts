/**
 * Reads the model of the contract, from the hand-written sources and from a bundle in the same way. Everything in the
 * model keeps the place that it was read from.
 */
import {
  type ErrorAdvice,
  type ExampleObject,
  type MediaTypeObject,
  type Method,
  methods,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type Provenance,
  type RequestBodyObject,
} from "./document.ts";
import { codeOf, isCode } from "./error-codes.ts";
import { type Conditions, readEffects, readEvent, readRequirements, readTriggers } from "./machine-data.ts";
import type {
  Answer,
  Body,
  CodeRef,
  Contract,
  ErrorCode,
  Example,
  Operation,
  Parameter,
  Registers,
  RequestBody,
  Webhook,
} from "./model.ts";
import { Place } from "./place.ts";

/** The registers that are part of the model. */
type ModelRegisters = Pick<Registers, "conditions" | "resources">;

const noRegisters: ModelRegisters = { conditions: {}, resources: [] };

/**
 * Reads a bundle. Paths and webhooks keep the order of the document; codes are sorted.
 *
 * @param registers for a reader of the codes of conditions and of the resources; empty by default.
 */
export function readContract(document: OpenApiDocument, registers: ModelRegisters = noRegisters): Contract {
  const root = Place.ofDocument(document);
  const errors = root
    .own("components", "schemas")
    .entries()
    .flatMap(([name, schema]) => (isCode(name) ? [schema] : []));
  return modelOf(root, errors, registers);
}

/**
 * The model of a document.
 *
 * @param root the root object.
 * @param errors the schemas of all P-codes; one without `x-error`, which lint reports, is left out.
 * @param registers the conditions and resources.
 */
export function modelOf(root: Place, errors: Place[], { conditions, resources }: ModelRegisters): Contract {
  const document = root.value as OpenApiDocument;
  return {
    root,
    document,
    operations: entriesOf(root.own("paths")).map((entry) => readOperation(document, entry, conditions)),
    webhooks: entriesOf(root.own("webhooks")).map(readWebhook),
    errorCodes: errors
      .filter((error) => error.own("x-error").exists)
      .map(readErrorCode)
      .sort((a, b) => a.code.localeCompare(b.code, "en")),
    delivery: document["x-webhook-delivery"],
    absentOperations: document["x-absent-operations"] ?? {},
    resources,
  };
}

interface Entry {
  key: string;
  method: Method;
  item: Place;
  place: Place;
}

function entriesOf(items: Place): Entry[] {
  return items.entries().flatMap(([key, { target: item }]) =>
    methods.flatMap((method) => {
      const { target: place } = item.own(method);
      return typeof place.value === "object" && place.value !== null ? [{ key, method, item, place }] : [];
    }),
  );
}

function readOperation(document: OpenApiDocument, entry: Entry, conditions: Conditions): Operation {
  const { key, method, item, place } = entry;
  const node = place.value as OperationObject;
  const operationId = node.operationId ?? `${method} ${key}`;
  const label = node.operationId ?? `${method.toUpperCase()} ${key}`;
  const servers = node.servers ?? item.own("servers").value ?? document.servers;
  return {
    ...readSubject(entry),
    kind: "operation",
    name: operationId,
    label,
    operationId,
    path: key,
    address: JSON.stringify(servers ?? "").includes("{deposit_base_url}") ? "deposit_base_url" : "base_url",
    deprecated: node.deprecated ?? false,
    requires: readRequirements(place, conditions),
    effects: readEffects(place),
    triggers: readTriggers(place),
    sideEffects: node["x-side-effects"] ?? false,
  };
}

function readWebhook(entry: Entry): Webhook {
  const { key, place } = entry;
  return {
    ...readSubject(entry),
    kind: "webhook",
    name: key,
    label: `Webhook ${key}`,
    path: textAt(place.own("x-webhook-path"), "path"),
    pathProvenance: place.own("x-webhook-path", "provenance").value as Provenance | undefined,
    event: readEvent(place),
    dedupeKey: listAt(place, "x-dedupe-key"),
  };
}

function readSubject({ method, item, place }: Entry) {
  const requestBody = place.own("requestBody");
  return {
    method,
    node: place.value as OperationObject,
    place,
    item,
    summary: textAt(place, "summary"),
    description: textAt(place, "description"),
    tag: listAt(place, "tags")[0] ?? "",
    provenance: place.own("x-provenance").value as Provenance | undefined,
    stated: listAt(place, "x-stated"),
    openQuestions: listAt(place, "x-open-questions"),
    parameters: [...item.at("parameters").items(), ...place.at("parameters").items()].map(readParameter),
    requestBody: requestBody.exists ? readRequestBody(requestBody) : undefined,
    answers: place
      .own("responses")
      .entries()
      .filter(([key]) => !key.startsWith("x-"))
      .map(([key, answer]) => readAnswer(key, answer)),
  };
}

function readParameter(place: Place): Parameter {
  const { target } = place;
  const node = (target.value ?? {}) as ParameterObject;
  return {
    name: String(node.name),
    in: String(node.in),
    required: node.required ?? false,
    example: node.example,
    schema: target.own("schema"),
    node,
    place,
  };
}

function readRequestBody(place: Place): RequestBody {
  const { target } = place;
  const node = (target.value ?? {}) as RequestBodyObject;
  return {
    required: node.required ?? false,
    bodies: readBodies(target.own("content")),
    invalidRequest: node["x-invalid-request"],
    place,
  };
}

function readAnswer(key: string, place: Place): Answer {
  const bodies = readBodies(place.at("content"));
  const codeRefs = bodies.flatMap(({ schema }) => codeRefsOf(schema));
  return {
    status: /^\d{3}$/.test(key) ? Number(key) : Number.NaN,
    key,
    description: textAt(place.target, "description"),
    codes: codeRefs.map(({ code }) => code),
    codeRefs,
    bodies,
    place,
  };
}

function readBodies(content: Place): Body[] {
  return content.entries().map(([mediaType, place]) => {
    const { encoding = {} } = (place.value ?? {}) as MediaTypeObject;
    return {
      mediaType,
      schema: place.at("schema"),
      examples: place.at("examples").entries().map(readExample),
      partTypes: Object.fromEntries(
        Object.entries(encoding).map(([part, { contentType = "" }]) => [
          part,
          contentType.split(",").map((type) => type.trim()),
        ]),
      ),
      place,
    };
  });
}

function readExample([name, place]: [string, Place]): Example {
  const { summary, value } = (place.target.value ?? {}) as ExampleObject;
  return { name, summary, value, place };
}

/** The P-codes that a schema admits: those of the branches of its `oneOf`. */
export function codeRefsOf(schema: Place): CodeRef[] {
  return schema
    .at("oneOf")
    .items()
    .flatMap((place) => {
      const code = codeOf(place);
      const provenance = place.own("x-provenance").value as Provenance | undefined;
      return code === undefined ? [] : [{ code, provenance, place }];
    });
}

function readErrorCode(place: Place): ErrorCode {
  return {
    ...(place.own("x-error").value as ErrorAdvice),
    resolvedBy: listAt(place.own("x-error"), "resolvedBy"),
    code: place.name,
    provenance: place.own("x-provenance").value as Provenance | undefined,
    openQuestions: listAt(place, "x-open-questions"),
    place,
  };
}

function textAt(place: Place, key: string): string {
  const { value } = place.own(key);
  return typeof value === "string" ? value : "";
}

function listAt(place: Place, key: string): string[] {
  return place
    .own(key)
    .items()
    .map(({ value }) => String(value));
}
