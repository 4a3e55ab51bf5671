import { type Edition, editions } from "../../base/index.ts";
import {
  alternativesOf,
  type Body,
  type Contract,
  codeOf,
  type DocumentedResponse,
  type ErrorCode,
  editionsOf,
  type Operation,
  type Parameter,
  provenanceAt,
  type RequestBody,
  type SourceLocation,
  type Webhook,
  weakestProvenance,
} from "../../contract/model/index.ts";
import type { Direction, Discriminator, Element, Facts } from "./element.ts";
import { deprecationOf } from "./facts.ts";
import { machineData } from "./machine-data.ts";
import { type Scope, schemaElements } from "./schema-elements.ts";
import { serverAddresses } from "./servers.ts";

/**
 * Each element follows its parent.
 *
 * @param formerNames the former names of renamed operations and webhooks, by their present names.
 */
export function elementsOf(
  contract: Contract,
  formerNames: ReadonlyMap<string, string> = new Map(),
): Map<string, Element> {
  const { operations, webhooks, errorCodes } = contract;
  const elements = [
    serviceElement(contract),
    ...operations.flatMap((operation) => operationElements(operation, formerNames.get(operation.name), contract)),
    ...webhooks.flatMap((webhook) => webhookElements(webhook, formerNames.get(webhook.name), contract)),
    ...errorCodes.flatMap((errorCode) => codeElements(errorCode, operations)),
    ...machineData(contract, formerNames),
  ];
  return new Map(elements.map((element) => [element.id, element]));
}

/** A part without users is in all editions. */
export function editionsOfAny(editionsOfUsers: readonly (readonly Edition[])[]): Edition[] {
  return editions.filter((edition) => editionsOfUsers.length === 0 || editionsOfUsers.flat().includes(edition));
}

type Part = Pick<Element, "kind" | "name"> &
  Partial<Pick<Element, "parent" | "required" | "facts" | "keywords" | "texts">>;

function toElement(scope: Scope, part: Part): Element {
  return { parent: "", facts: {}, keywords: {}, texts: [], ...scope, ...part };
}

function serviceElement({ document }: Contract): Element {
  const scope = { id: "service", subject: "service", direction: "response", provenance: "specification" } as const;
  const facts: Facts = { servers: serverAddresses(document.servers) };
  return toElement({ ...scope, editions }, { kind: "service", name: "the service", facts });
}

function operationElements(operation: Operation, formerName: string | undefined, contract: Contract): Element[] {
  const { operationId, method, path, address, summary, description, tag, node, location } = operation;
  const texts = [summary, description, tag, node.externalDocs];
  const scope = scopeOf(operation, formerName, "request");
  const ownServers = node.servers ?? operation.item.child("servers").value;
  const facts: Facts = {
    operationId,
    method,
    path,
    address,
    security: credentialsOf(operation, contract),
    servers: ownServers === undefined ? undefined : serverAddresses(ownServers as typeof node.servers),
    deprecated: deprecationOf(location),
  };
  return [
    toElement(scope, { kind: "operation", name: "the operation", facts, texts }),
    ...partElements(operation, scope, "request"),
  ];
}

function webhookElements(webhook: Webhook, formerName: string | undefined, contract: Contract): Element[] {
  const { name, method, path, dedupeKey, pathProvenance, summary, description, tag } = webhook;
  const scope = scopeOf(webhook, formerName, "response");
  const facts: Facts = {
    name,
    method,
    dedupeKey,
    security: credentialsOf(webhook, contract),
    deprecated: deprecationOf(webhook.location),
  };
  const provenance = weakestProvenance(scope.provenance, pathProvenance);
  const pathScope = { ...scope, id: `${scope.id}/path`, provenance };
  return [
    toElement(scope, { kind: "webhook", name: "the webhook", facts, texts: [summary, description, tag] }),
    toElement(pathScope, { kind: "path", name: "path on your server", parent: scope.id, facts: { route: path } }),
    ...partElements(webhook, scope, "response"),
  ];
}

function codeElements(errorCode: ErrorCode, operations: readonly Operation[]): Element[] {
  const { code, status, meaning, effectiveProvenance: provenance, location, ...advice } = errorCode;
  const users = operations.filter(({ responses }) => responses.some(({ codes }) => codes.includes(code)));
  const codeEditions = editionsOfAny(users.map((user) => editionsOf(user.effectiveProvenance)));
  const scope = { id: code, subject: code, direction: "response", editions: codeEditions, provenance } as const;
  const { actor, retry, resolvedBy, resolution, onCall } = advice;
  const facts: Facts = { status, actor, retry, resolvedBy: resolvedBy.length > 0 ? resolvedBy : undefined };
  return [
    toElement(scope, { kind: "code", name: "the code", facts, texts: [meaning, resolution, onCall] }),
    ...schemaElements(location, { ...scope, title: "the error" }),
  ];
}

function scopeOf(subject: Operation | Webhook, id = subject.name, direction: Direction): Scope {
  const subjectEditions = subject.kind === "webhook" ? editions : editionsOf(subject.effectiveProvenance);
  return { id, subject: id, direction, editions: subjectEditions, provenance: subject.effectiveProvenance };
}

/** For each alternative, the credentials that are required together. */
function credentialsOf({ node }: Operation | Webhook, { document }: Contract): string[][] {
  const schemes = (document.components?.securitySchemes ?? {}) as Record<string, Record<string, unknown>>;
  const requirements = (node.security ?? document.security ?? []) as Record<string, string[]>[];
  const describe = ([name, scopes]: [string, string[]]): string[] => {
    const { type, in: location, name: key, scheme } = schemes[name] ?? {};
    const credential =
      type === "apiKey" ? `the ${location} \`${key}\`` : `${[type, scheme].filter(Boolean).join(" ")} credentials`;
    return [credential, ...scopes.map((scope) => `the scope \`${scope}\``)];
  };
  const alternatives = requirements.map((requirement) => Object.entries(requirement).flatMap(describe));
  return alternatives.length === 0 ? [[]] : alternatives.sort();
}

/** @param direction the direction of the body and the parameters. The responses have the opposite direction. */
function partElements(subject: Operation | Webhook, scope: Scope, direction: Direction): Element[] {
  const { parameters, requestBody, responses, kind } = subject;
  const responseDirection = direction === "request" ? "response" : "request";
  const title = kind === "webhook" ? "the event" : "the request";
  return [
    ...parameters.flatMap((parameter) => parameterElements(parameter, { ...scope, direction })),
    ...(requestBody === undefined ? [] : requestBodyElements(requestBody, { ...scope, direction, title })),
    ...responses.flatMap((response) => responseElements(response, { ...scope, direction: responseDirection })),
  ];
}

function parameterElements(parameter: Parameter, { id: parent, ...scope }: Scope): Element[] {
  const { name, in: place, location, required, schema, effectiveProvenance: provenance, node } = parameter;
  const part = { ...scope, id: `${parent}/${place}/${name}`, provenance };
  // The defaults of OpenAPI 3.1 (section 4.8.12.2).
  const style = node.style ?? (place === "query" || place === "cookie" ? "form" : "simple");
  const explode = node.explode ?? style === "form";
  const keywords = { style, explode, allowReserved: node.allowReserved || undefined };
  const facts: Facts = { deprecated: deprecationOf(location.target) };
  const title = `${place} parameter \`${name}\``;
  const texts = [node.description];
  return [
    toElement(part, { kind: "parameter", name: title, parent, required, facts, keywords, texts }),
    ...schemaElements(schema, { ...part, title, isAlwaysSent: required }),
  ];
}

/** The scope of a part, with the words for its values in reports. */
type TitledScope = Scope & { readonly title: string };

function requestBodyElements(requestBody: RequestBody, { id: parent, title, ...scope }: TitledScope): Element[] {
  const { required, bodies, location, effectiveProvenance: provenance } = requestBody;
  const part = { ...scope, id: `${parent}/request`, provenance };
  const { description } = location.target.value as { description?: string };
  return [
    toElement(part, { kind: "body", name: `body of ${title}`, parent, required, texts: [description] }),
    ...bodies.flatMap((body, index) => bodyElements(body, index, { ...part, title })),
  ];
}

function responseElements(response: DocumentedResponse, { id: parent, ...scope }: Scope): Element[] {
  const { key, effectiveProvenance: provenance, codeRefs, bodies, isOpen, location, description } = response;
  const part = { ...scope, id: `${parent}/${key}`, provenance };
  const title = `the ${key} response`;
  const discriminators = bodies.map(({ schema }) => schema.at("discriminator").value as Discriminator | undefined);
  const discriminator = discriminators.find((candidate) => candidate !== undefined);
  const facts: Facts = codeRefs.length > 0 ? { isOpen, discriminator } : {};
  const texts = [description, location.target.child("links").value];
  const titledPart = { ...part, title };
  return [
    toElement(part, { kind: "response", name: title, parent, facts, texts }),
    ...location
      .at("headers")
      .entries()
      .flatMap(([name, header]) => headerElements(name, header, titledPart)),
    ...codeRefs.map(({ code, effectiveProvenance }) => {
      const codeScope = { ...part, id: `${parent}/${code}`, provenance: effectiveProvenance };
      return toElement(codeScope, { kind: "code", name: `code ${code}`, parent, facts: { status: key } });
    }),
    ...bodies.flatMap((body, index) => bodyElements(body, index, titledPart)),
  ];
}

function headerElements(
  name: string,
  header: SourceLocation,
  { id: parent, title, ...response }: TitledScope,
): Element[] {
  const { target } = header;
  const provenance = provenanceAt(header, response.provenance);
  const scope = { ...response, id: `${parent}/headers/${name}`, provenance };
  const headerTitle = `header \`${name}\` of ${title}`;
  const required = target.child("required").value === true;
  return [
    toElement(scope, { kind: "header", name: headerTitle, parent, required }),
    ...schemaElements(target.child("schema"), { ...scope, title: headerTitle }),
  ];
}

/** @param index of the body among the media types of its request or response. */
function bodyElements(body: Body, index: number, { title, ...scope }: TitledScope): Element[] {
  const { mediaType, schema, partTypes, examples } = body;
  const id = `${scope.id}:${mediaType.replace(/ *; *charset=utf-8$/i, "")}`;
  const facts: Facts = Object.keys(partTypes).length > 0 ? { partTypes } : {};
  const texts = examples.map(({ name, summary, value }) => [name, summary, value]);
  const name = `media type ${mediaType} of ${title}`;
  const media = toElement({ ...scope, id }, { kind: "media", name, parent: scope.id, facts, texts });
  if (alternativesOf(schema).some((branch) => codeOf(branch) !== undefined)) return [media];
  // Field ids do not contain the first media type, so that they stay the same if it changes. Further media types have their own fields.
  const bodyScope = index === 0 ? { ...scope, title } : { ...scope, id, title: `${title} (${mediaType})` };
  return [media, ...schemaElements(schema, bodyScope)];
}
