/** Reads the model of the contract, from the sources or from a bundle alike. Every element keeps its node. */
import {
  type ErrorAdvice,
  type ErrorFacts,
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
import { codeOf, generalError, isCode } from "./error-codes.ts";
import { invalidBody, invalidParameter } from "./invalid-requests.ts";
import { readEffects, readEvent, readLookup, readRequirements, readTriggers } from "./machine-data.ts";
import type {
  Body,
  CodeRef,
  Contract,
  DocumentedResponse,
  ErrorCode,
  Example,
  Operation,
  Parameter,
  Registers,
  RequestBody,
  Webhook,
} from "./model.ts";
import { Place } from "./place.ts";
import { provenanceAt } from "./provenance.ts";

/** The registers that the model includes. */
export type ModelRegisters = Omit<Registers, "questions">;

export const noRegisters: ModelRegisters = {
  conditions: {},
  resources: [],
  delivery: undefined,
  invalidRequests: { code: "", operations: {} },
};

/**
 * Reads a bundle. Paths and webhooks keep the order of the document; codes are sorted.
 *
 * @param registers conditions, resources and delivery, for readers of these parts; empty by default.
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
 * @param registers the data from other files.
 */
export function modelOf(root: Place, errors: Place[], registers: ModelRegisters): Contract {
  const document = root.value as OpenApiDocument;
  return {
    root,
    document,
    operations: entriesOf(root.own("paths")).map((entry) => readOperation(document, entry, registers)),
    webhooks: entriesOf(root.own("webhooks")).map(readWebhook),
    errorCodes: errors
      .filter((error) => error.own("x-error").exists)
      .map(readErrorCode)
      .sort((a, b) => a.code.localeCompare(b.code, "en")),
    delivery: registers.delivery,
    namedOperations: document["x-named-operations"] ?? {},
    resources: registers.resources,
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

function readOperation(document: OpenApiDocument, entry: Entry, registers: ModelRegisters): Operation {
  const { key, method, item, place } = entry;
  const node = place.value as OperationObject;
  const operationId = node.operationId ?? `${method} ${key}`;
  const label = node.operationId ?? `${method.toUpperCase()} ${key}`;
  const subject = readSubject(entry);
  const effects = readEffects(place);
  const requires = readRequirements(place, registers.conditions);
  const { invalidRequests: assumed } = registers;
  const documented = { responses: subject.responses, requires, assumed, own: assumed.operations[operationId] };
  const { parameters, requestBody } = subject;
  const named = document["x-named-operations"]?.[operationId];
  const servers = node.servers ?? item.own("servers").value ?? document.servers;
  return {
    ...subject,
    kind: "operation",
    name: operationId,
    stated: subject.provenance === "specification" ? [] : (["name", "method"] as const).filter((what) => named?.[what]),
    label,
    operationId,
    path: key,
    address: JSON.stringify(servers ?? "").includes("{deposit_base_url}") ? "deposit_base_url" : "base_url",
    deprecated: node.deprecated ?? false,
    deprecation: readDeprecation(place.own("x-deprecation")),
    parameters: parameters.map((parameter) => ({
      ...parameter,
      invalidRequest: invalidParameter(parameter, documented),
    })),
    requestBody: requestBody && { ...requestBody, invalidRequest: invalidBody(documented) },
    requires,
    effects,
    triggers: readTriggers(place),
    lookup: readLookup(place),
    sideEffects: method === "get" && effects.length > 0,
  };
}

function readDeprecation(place: Place): string {
  const { reason = "", since, until, replacement } = (place.value ?? {}) as Record<string, string | undefined>;
  return [
    reason,
    since === undefined ? "" : `Deprecated since ${since}.`,
    until === undefined ? "" : `It works until ${until}.`,
    replacement === undefined ? "" : `Call ${replacement} instead.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function readWebhook(entry: Entry): Webhook {
  const { key, place } = entry;
  return {
    ...readSubject(entry),
    kind: "webhook",
    name: key,
    label: `Webhook ${key}`,
    path: place.own("x-webhook-path").text("path") ?? "",
    pathProvenance: place.own("x-webhook-path", "provenance").value as Provenance | undefined,
    event: readEvent(place),
    dedupeKey: place.own("x-dedupe-key").texts("fields"),
    dedupeProvenance: place.own("x-dedupe-key", "provenance").value as Provenance | undefined,
  };
}

function readSubject({ method, item, place }: Entry) {
  const requestBody = place.own("requestBody");
  const provenance = place.own("x-provenance").value as Provenance | undefined;
  // An element without a mark, which lint reports, counts as proposed.
  const enclosing = provenance ?? "proposed";
  const parameters = [...item.at("parameters").items(), ...place.at("parameters").items()];
  return {
    method,
    node: place.value as OperationObject,
    place,
    item,
    summary: place.text("summary") ?? "",
    description: place.text("description") ?? "",
    tag: place.texts("tags")[0] ?? "",
    provenance,
    stated: provenance === "specification" ? [] : ["name"],
    openQuestions: place.texts("x-open-questions"),
    parameters: parameters.map((parameter) => readParameter(parameter, enclosing)),
    requestBody: requestBody.exists ? readRequestBody(requestBody, enclosing) : undefined,
    responses: place
      .own("responses")
      .entries()
      .filter(([key]) => !key.startsWith("x-"))
      .map(([key, response]) => readDocumentedResponse(key, response, enclosing)),
  };
}

function readParameter(place: Place, enclosing: Provenance): Parameter {
  const { target } = place;
  const node = (target.value ?? {}) as ParameterObject;
  return {
    name: String(node.name),
    in: String(node.in),
    required: node.required ?? false,
    example: node.example,
    schema: target.own("schema"),
    invalidRequest: undefined,
    node,
    effective: provenanceAt(place, enclosing),
    place,
  };
}

function readRequestBody(place: Place, enclosing: Provenance): RequestBody {
  const { target } = place;
  const effective = provenanceAt(place, enclosing);
  const node = (target.value ?? {}) as RequestBodyObject;
  return {
    required: node.required ?? false,
    bodies: readBodies(target.own("content"), effective),
    invalidRequest: undefined,
    effective,
    place,
  };
}

function readDocumentedResponse(key: string, place: Place, enclosing: Provenance): DocumentedResponse {
  const effective = provenanceAt(place, enclosing);
  const bodies = readBodies(place.at("content"), effective);
  const codeRefs = bodies
    .flatMap(({ schema }) => codeRefsOf(schema))
    .map((ref) => ({ ...ref, effective: provenanceAt(ref.place, effective) }));
  return {
    status: /^\d{3}$/.test(key) ? Number(key) : Number.NaN,
    key,
    description: place.target.text("description") ?? "",
    codes: codeRefs.map(({ code }) => code),
    isOpen: bodies.some(({ schema }) => alternativesOf(schema).some(({ target }) => target.name === generalError)),
    codeRefs,
    bodies,
    effective,
    place,
  };
}

function readBodies(content: Place, enclosing: Provenance): Body[] {
  return content.entries().map(([mediaType, place]) => {
    const { encoding = {} } = (place.value ?? {}) as MediaTypeObject;
    return {
      mediaType,
      schema: place.at("schema"),
      examples: place
        .at("examples")
        .entries()
        .map(([name, example]) => readExample(name, example, enclosing)),
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

function readExample(name: string, place: Place, enclosing: Provenance): Example {
  const { summary, value } = (place.target.value ?? {}) as ExampleObject;
  return { name, summary, value, effective: provenanceAt(place, enclosing), place };
}

/** The P-codes listed by a schema in the branches of its `oneOf` or `anyOf`. */
export function codeRefsOf(schema: Place): CodeRef[] {
  return alternativesOf(schema).flatMap((place) => {
    const code = codeOf(place);
    const provenance = place.own("x-provenance").value as Provenance | undefined;
    return code === undefined ? [] : [{ code, provenance, place }];
  });
}

/** The branches of the `oneOf` or `anyOf` of a schema. */
export function alternativesOf(schema: Place): Place[] {
  return [...schema.at("oneOf").items(), ...schema.at("anyOf").items()];
}

function readErrorCode(place: Place): ErrorCode {
  return {
    ...(place.own("x-error").value as ErrorFacts),
    ...(place.own("x-advice").value as ErrorAdvice),
    resolvedBy: place.own("x-advice").texts("resolvedBy"),
    code: place.name,
    provenance: place.own("x-provenance").value as Provenance | undefined,
    openQuestions: place.texts("x-open-questions"),
    place,
  };
}
