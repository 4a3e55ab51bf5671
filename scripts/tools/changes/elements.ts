import {
  alternativesOf,
  type Body,
  type Contract,
  codeOf,
  type DocumentedResponse,
  type Edition,
  editions,
  editionsOf,
  type Operation,
  provenanceAt,
  type SourceLocation,
  type Webhook,
  weakestProvenance,
} from "../../contract/model/index.ts";
import type { Direction, Discriminator, Element, Facts } from "./element.ts";
import { deprecationOf } from "./facts.ts";
import { machineData } from "./machine-data.ts";
import { type SchemaScope, type Scope, schemaElements } from "./schema-elements.ts";
import { serverAddresses } from "./servers.ts";

/**
 * The elements of a contract by id. Each element follows its parent.
 * @param formerNames the former names of renamed operations and webhooks, by their present names.
 */
export function elementsOf(
  contract: Contract,
  formerNames: ReadonlyMap<string, string> = new Map(),
): Map<string, Element> {
  const collector = new Collector(contract);
  collector.addService();
  for (const operation of contract.operations) collector.addOperation(operation, formerNames.get(operation.name));
  for (const webhook of contract.webhooks) collector.addWebhook(webhook, formerNames.get(webhook.name));
  for (const { code, status, meaning, effectiveProvenance: provenance, location, ...advice } of contract.errorCodes) {
    const users = contract.operations.filter(({ responses }) => responses.some(({ codes }) => codes.includes(code)));
    const codeEditions = editionsOfAny(users.map((user) => editionsOf(user.provenance)));
    const scope = { id: code, subject: code, direction: "response", editions: codeEditions, provenance } as const;
    const { actor, retry, resolvedBy, resolution, onCall } = advice;
    const facts: Facts = { status, actor, retry, resolvedBy: resolvedBy.length > 0 ? resolvedBy : undefined };
    collector.add(scope, { kind: "code", name: "the code", facts, texts: [meaning, resolution, onCall] });
    collector.addSchema(location, { ...scope, title: "the error" });
  }
  for (const element of machineData(contract, formerNames)) collector.elements.set(element.id, element);
  return collector.elements;
}

/** The editions of a part: those of its users, or all if it has none. */
export function editionsOfAny(editionsOfUsers: readonly (readonly Edition[])[]): Edition[] {
  return editions.filter((edition) => editionsOfUsers.length === 0 || editionsOfUsers.flat().includes(edition));
}

type Part = Pick<Element, "kind" | "name"> &
  Partial<Pick<Element, "parent" | "required" | "facts" | "keywords" | "texts">>;

class Collector {
  readonly elements = new Map<string, Element>();
  readonly #contract: Contract;

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  add(scope: Scope, part: Part): void {
    this.elements.set(scope.id, { parent: "", facts: {}, keywords: {}, texts: [], ...scope, ...part });
  }

  addSchema(schema: SourceLocation, scope: SchemaScope): void {
    for (const element of schemaElements(schema, scope)) this.elements.set(element.id, element);
  }

  addService(): void {
    const { servers } = this.#contract.document;
    const scope = { id: "service", subject: "service", direction: "response", provenance: "specification" } as const;
    const facts: Facts = { servers: serverAddresses(servers) };
    this.add({ ...scope, editions: editionsOf(undefined) }, { kind: "service", name: "the service", facts });
  }

  addOperation(operation: Operation, id = operation.name): void {
    const { operationId, method, path, address, summary, description, tag, node, location } = operation;
    const texts = [summary, description, tag, node.externalDocs];
    const scope = this.#scopeOf(operation, id, "request");
    const ownServers = node.servers ?? operation.item.child("servers").value;
    const facts: Facts = {
      operationId,
      method,
      path,
      address,
      security: this.#credentialsOf(operation),
      servers: ownServers === undefined ? undefined : serverAddresses(ownServers as typeof node.servers),
      deprecated: deprecationOf(location),
    };
    this.add(scope, { kind: "operation", name: "the operation", facts, texts });
    this.#addParts(operation, scope, "request");
  }

  addWebhook(webhook: Webhook, id = webhook.name): void {
    const { name, method, path, dedupeKey, pathProvenance, summary, description, tag } = webhook;
    const scope = this.#scopeOf(webhook, id, "response");
    const facts: Facts = {
      name,
      method,
      dedupeKey,
      security: this.#credentialsOf(webhook),
      deprecated: deprecationOf(webhook.location),
    };
    this.add(scope, { kind: "webhook", name: "the webhook", facts, texts: [summary, description, tag] });
    const provenance = weakestProvenance(scope.provenance, pathProvenance);
    const pathScope = { ...scope, id: `${id}/path`, provenance };
    this.add(pathScope, { kind: "path", name: "path on your server", parent: id, facts: { route: path } });
    this.#addParts(webhook, scope, "response");
  }

  #scopeOf(subject: Operation | Webhook, id: string, direction: Direction): Scope {
    const editions = editionsOf(subject.kind === "webhook" ? undefined : subject.provenance);
    return { id, subject: id, direction, editions, provenance: subject.effectiveProvenance };
  }

  /** The accepted credentials: for each alternative, the list of all credentials that are required together. */
  #credentialsOf({ node }: Operation | Webhook): string[][] {
    const { document } = this.#contract;
    const schemes = (document.components?.securitySchemes ?? {}) as Record<string, Record<string, unknown>>;
    const requirements = (node.security ?? document.security ?? []) as Record<string, string[]>[];
    const describe = ([name, scopes]: [string, string[]]): string[] => {
      const { type, in: location, name: key, scheme } = schemes[name] ?? {};
      const credential =
        type === "apiKey" ? `the ${location} \`${key}\`` : `${[type, scheme].filter(Boolean).join(" ")} credentials`;
      return [credential, ...scopes.map((scope) => `the scope \`${scope}\``)];
    };
    const alternatives = requirements.map((each) => Object.entries(each).flatMap(describe));
    return alternatives.length === 0 ? [[]] : alternatives.sort();
  }

  /** @param direction the direction of the body and the parameters. The responses have the opposite direction. */
  #addParts(subject: Operation | Webhook, scope: Scope, direction: Direction): void {
    const { parameters, requestBody, responses, kind } = subject;
    const { id: parent } = scope;
    for (const { name, in: parameterLocation, location, required, schema, effectiveProvenance, node } of parameters) {
      const part = {
        ...scope,
        id: `${parent}/${parameterLocation}/${name}`,
        direction,
        provenance: effectiveProvenance,
      };
      // The defaults of OpenAPI 3.1 (section 4.8.12.2).
      const style = node.style ?? (parameterLocation === "query" || parameterLocation === "cookie" ? "form" : "simple");
      const explode = node.explode ?? style === "form";
      const keywords = { style, explode, allowReserved: node.allowReserved || undefined };
      const facts: Facts = { deprecated: deprecationOf(location.target) };
      const title = `${parameterLocation} parameter \`${name}\``;
      this.add(part, { kind: "parameter", name: title, parent, required, facts, keywords, texts: [node.description] });
      this.addSchema(schema, { ...part, title, isAlwaysSent: required });
    }
    if (requestBody !== undefined) {
      const part = { ...scope, id: `${parent}/request`, direction, provenance: requestBody.effectiveProvenance };
      const title = kind === "webhook" ? "the event" : "the request";
      const { description } = requestBody.location.target.value as { description?: string };
      this.add(part, {
        kind: "body",
        name: `body of ${title}`,
        parent,
        required: requestBody.required,
        texts: [description],
      });
      this.#addBodies(requestBody.bodies, { ...part, title });
    }
    for (const response of responses)
      this.#addResponse(response, scope, direction === "request" ? "response" : "request");
  }

  #addResponse(response: DocumentedResponse, { id: parent, ...scope }: Scope, direction: Direction): void {
    const { key, effectiveProvenance: provenance, codeRefs, bodies, isOpen, location, description } = response;
    const part = { ...scope, id: `${parent}/${key}`, direction, provenance };
    const title = `the ${key} response`;
    const discriminators = bodies.map(({ schema }) => schema.at("discriminator").value as Discriminator | undefined);
    const discriminator = discriminators.find((each) => each !== undefined);
    const facts: Facts = codeRefs.length > 0 ? { isOpen, discriminator } : {};
    const texts = [description, location.target.child("links").value];
    this.add(part, { kind: "response", name: title, parent, facts, texts });
    for (const [name, header] of location.at("headers").entries()) {
      const { target } = header;
      const headerScope = { ...part, id: `${part.id}/headers/${name}`, provenance: provenanceAt(header, provenance) };
      const headerTitle = `header \`${name}\` of ${title}`;
      this.add(headerScope, {
        kind: "header",
        name: headerTitle,
        parent: part.id,
        required: target.child("required").value === true,
      });
      this.addSchema(target.child("schema"), { ...headerScope, title: headerTitle });
    }
    for (const { code, effectiveProvenance } of codeRefs) {
      const codeScope = { ...part, id: `${parent}/${code}`, provenance: effectiveProvenance };
      this.add(codeScope, { kind: "code", name: `code ${code}`, parent, facts: { status: key } });
    }
    this.#addBodies(bodies, { ...part, title });
  }

  #addBodies(bodies: Body[], scope: Scope & { title: string }): void {
    bodies.forEach(({ mediaType, schema, partTypes, examples }, index) => {
      const id = `${scope.id}:${mediaType.replace(/ *; *charset=utf-8$/i, "")}`;
      const facts: Facts = Object.keys(partTypes).length > 0 ? { partTypes } : {};
      const texts = examples.map(({ name, summary, value }) => [name, summary, value]);
      const name = `media type ${mediaType} of ${scope.title}`;
      this.add({ ...scope, id }, { kind: "media", name, parent: scope.id, facts, texts });
      // Field ids do not contain the first media type, so that they stay the same if it changes. Further media types have their own fields.
      const bodyScope = index === 0 ? scope : { ...scope, id, title: `${scope.title} (${mediaType})` };
      const hasCodes = alternativesOf(schema).some((branch) => codeOf(branch) !== undefined);
      if (!hasCodes) this.addSchema(schema, bodyScope);
    });
  }
}
