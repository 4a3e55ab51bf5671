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
import { readEffects, readEvent, readLookup, readRequirements, readTriggers } from "./extensions.ts";
import { invalidBodyResponses, invalidParameterResponse, type OperationRules } from "./invalid-requests.ts";
import type {
  Address,
  Body,
  CodeRef,
  Contract,
  DocumentedResponse,
  ErrorCode,
  Operation,
  Parameter,
  Registers,
  RequestBody,
  Webhook,
} from "./model.ts";
import { provenanceAt } from "./provenance.ts";
import { SourceLocation } from "./source-location.ts";

export type ModelRegisters = Omit<Registers, "questions">;

export const emptyRegisters: ModelRegisters = {
  conditions: {},
  resources: [],
  delivery: undefined,
  invalidRequests: { code: "", operations: {} },
};

export function readContract(document: OpenApiDocument, registers: ModelRegisters = emptyRegisters): Contract {
  const root = SourceLocation.ofDocument(document);
  const errors = root
    .child("components", "schemas")
    .entries()
    .flatMap(([name, schema]) => (isCode(name) ? [schema] : []));
  return modelOf(root, errors, registers);
}

/** @param errors the schemas of the P-codes. Lint reports a schema without `x-error`, so it is skipped here. */
export function modelOf(root: SourceLocation, errors: SourceLocation[], registers: ModelRegisters): Contract {
  const document = root.value as OpenApiDocument;
  return {
    root,
    document,
    operations: entriesOf(root.child("paths")).map((entry) => readOperation(root, entry, registers)),
    webhooks: entriesOf(root.child("webhooks")).map(readWebhook),
    errorCodes: errors
      .filter((error) => error.child("x-error").exists)
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
  item: SourceLocation;
  location: SourceLocation;
}

function entriesOf(items: SourceLocation): Entry[] {
  return items.entries().flatMap(([key, { target: item }]) =>
    methods.flatMap((method) => {
      const { target: location } = item.child(method);
      return typeof location.value === "object" && location.value !== null ? [{ key, method, item, location }] : [];
    }),
  );
}

function readOperation(root: SourceLocation, entry: Entry, registers: ModelRegisters): Operation {
  const { key, method, item, location } = entry;
  const node = location.value as OperationObject;
  const operationId = node.operationId ?? `${method} ${key}`;
  const label = node.operationId ?? `${method.toUpperCase()} ${key}`;
  const effects = readEffects(location);
  const requirements = readRequirements(location, registers.conditions);
  const { invalidRequests: defaults } = registers;
  const exceptions = defaults.operations[operationId];
  const namedOperation = (root.value as OpenApiDocument)["x-named-operations"]?.[operationId];
  const namedDetails = (["name", "method"] as const).filter((detail) => namedOperation?.[detail]);
  return {
    ...readSubject(entry, namedDetails, { requirements, defaults, exceptions }),
    kind: "operation",
    name: operationId,
    label,
    operationId,
    path: key,
    address: addressOf(location, item, root),
    deprecated: node.deprecated ?? false,
    deprecation: readDeprecation(location.child("x-deprecation")),
    requires: requirements,
    effects,
    triggers: readTriggers(location),
    lookup: readLookup(location),
    hasSideEffects: method === "get" && effects.length > 0,
  };
}

/** @param holders objects that can have servers, the most specific first. */
function addressOf(...holders: SourceLocation[]): Address {
  const servers = holders.map((holder) => holder.child("servers")).find(({ exists }) => exists);
  const usesDepositAddress = servers?.items().some((server) => server.text("url")?.includes("{deposit_base_url}"));
  return usesDepositAddress ? "deposit_base_url" : "base_url";
}

export function readDeprecation(location: SourceLocation): string {
  const { reason = "", since, until, replacement } = (location.value ?? {}) as Record<string, string | undefined>;
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
  const { key, location } = entry;
  return {
    ...readSubject(entry, ["name"]),
    kind: "webhook",
    name: key,
    label: `Webhook ${key}`,
    path: location.child("x-webhook-path").text("path") ?? "",
    pathProvenance: location.child("x-webhook-path", "provenance").value as Provenance | undefined,
    event: readEvent(location),
    dedupeKey: location.child("x-dedupe-key").texts("fields"),
    dedupeProvenance: location.child("x-dedupe-key", "provenance").value as Provenance | undefined,
  };
}

/** @param rules how the service refuses invalid requests; undefined for a webhook. */
function readSubject(
  { method, item, location }: Entry,
  namedDetails: string[],
  rules?: Omit<OperationRules, "responses">,
) {
  const requestBody = location.child("requestBody");
  const provenance = location.child("x-provenance").value as Provenance | undefined;
  const effectiveProvenance = provenance ?? "proposed";
  const parameters = parametersOf(item, location);
  const responses = location
    .child("responses")
    .entries()
    .filter(([key]) => !key.startsWith("x-"))
    .map(([key, response]) => readDocumentedResponse(key, response, effectiveProvenance));
  const operationRules = rules && { ...rules, responses };
  return {
    method,
    node: location.value as OperationObject,
    location,
    item,
    summary: location.text("summary") ?? "",
    description: location.text("description") ?? "",
    tag: location.texts("tags")[0] ?? "",
    provenance,
    effectiveProvenance,
    statedDetails: provenance === "specification" ? [] : namedDetails,
    openQuestions: location.texts("x-open-questions"),
    parameters: parameters.map((parameter) => readParameter(parameter, effectiveProvenance, operationRules)),
    requestBody: requestBody.exists ? readRequestBody(requestBody, effectiveProvenance, operationRules) : undefined,
    responses,
  };
}

/** A parameter of the operation replaces a parameter of the path item with the same name and `in`. */
function parametersOf(...holders: SourceLocation[]): SourceLocation[] {
  const parameters = holders.flatMap((holder) => holder.at("parameters").items());
  return [
    ...new Map(parameters.map((item) => [`${item.target.text("in")} ${item.target.text("name")}`, item])).values(),
  ];
}

function readParameter(
  location: SourceLocation,
  enclosingProvenance: Provenance,
  rules: OperationRules | undefined,
): Parameter {
  const { target } = location;
  const node = (target.value ?? {}) as ParameterObject;
  const checked = {
    name: String(node.name),
    in: String(node.in),
    required: node.required ?? false,
    schema: target.child("schema"),
  };
  return {
    ...checked,
    example: node.example,
    invalidRequest: rules && invalidParameterResponse(checked, rules),
    node,
    effectiveProvenance: provenanceAt(location, enclosingProvenance),
    location,
  };
}

function readRequestBody(
  location: SourceLocation,
  enclosingProvenance: Provenance,
  rules: OperationRules | undefined,
): RequestBody {
  const { target } = location;
  const effectiveProvenance = provenanceAt(location, enclosingProvenance);
  const node = (target.value ?? {}) as RequestBodyObject;
  return {
    required: node.required ?? false,
    bodies: readBodies(target.child("content"), effectiveProvenance),
    invalidRequest: rules && invalidBodyResponses(rules),
    effectiveProvenance,
    location,
  };
}

function readDocumentedResponse(
  key: string,
  location: SourceLocation,
  enclosingProvenance: Provenance,
): DocumentedResponse {
  const effectiveProvenance = provenanceAt(location, enclosingProvenance);
  const bodies = readBodies(location.at("content"), effectiveProvenance);
  const codeRefs = bodies
    .flatMap(({ schema }) => codeRefsOf(schema))
    .map((ref) => ({ ...ref, effectiveProvenance: provenanceAt(ref.location, effectiveProvenance) }));
  return {
    status: /^\d{3}$/.test(key) ? Number(key) : Number.NaN,
    key,
    description: location.target.text("description") ?? "",
    codes: codeRefs.map(({ code }) => code),
    isOpen: bodies.some(({ schema }) => alternativesOf(schema).some(({ target }) => target.name === generalError)),
    codeRefs,
    bodies,
    effectiveProvenance,
    location,
  };
}

function readBodies(content: SourceLocation, enclosingProvenance: Provenance): Body[] {
  return content.entries().map(([mediaType, location]) => {
    const { encoding = {} } = (location.value ?? {}) as MediaTypeObject;
    return {
      mediaType,
      schema: location.at("schema"),
      examples: location
        .at("examples")
        .entries()
        .map(([name, example]) => {
          const { summary, value } = (example.target.value ?? {}) as ExampleObject;
          return {
            name,
            summary,
            value,
            effectiveProvenance: provenanceAt(example, enclosingProvenance),
            location: example,
          };
        }),
      partTypes: Object.fromEntries(
        Object.entries(encoding).map(([part, { contentType = "" }]) => [
          part,
          contentType.split(",").map((type) => type.trim()),
        ]),
      ),
      location,
    };
  });
}

export function codeRefsOf(schema: SourceLocation): CodeRef[] {
  return alternativesOf(schema).flatMap((location) => {
    const code = codeOf(location);
    return code === undefined ? [] : [{ code, location }];
  });
}

export function alternativesOf(schema: SourceLocation): SourceLocation[] {
  return [...schema.at("oneOf").items(), ...schema.at("anyOf").items()];
}

function readErrorCode(location: SourceLocation): ErrorCode {
  return {
    ...(location.child("x-error").value as ErrorFacts),
    ...(location.child("x-advice").value as ErrorAdvice),
    resolvedBy: location.child("x-advice").texts("resolvedBy"),
    code: location.name,
    effectiveProvenance: (location.child("x-provenance").value as Provenance | undefined) ?? "proposed",
    openQuestions: location.texts("x-open-questions"),
    location,
  };
}
