import {
  alternativesOf,
  type Body,
  type Contract,
  codeOf,
  type DocumentedResponse,
  editionsOf,
  markOn,
  type Operation,
  type Provenance,
  provenanceAt,
  type SourceLocation,
  subschemasOf,
  type Webhook,
  weakestProvenance,
} from "../../contract/model/index.ts";
import type { Direction, Element } from "./element.ts";
import { addFact, deprecationOf, knownValues, requiredByBranches } from "./facts.ts";
import { typesOfForms } from "./forms.ts";
import { machineData } from "./machine-data.ts";
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
  collector.service();
  for (const operation of contract.operations) collector.operation(operation, formerNames.get(operation.name));
  for (const webhook of contract.webhooks) collector.webhook(webhook, formerNames.get(webhook.name));
  for (const { code, status, meaning, provenance = "specification", location, ...advice } of contract.errorCodes) {
    const editions = editionsOf(undefined);
    const scope = { id: code, subject: code, direction: "response", editions, provenance } as const;
    const { actor, retry, resolvedBy, resolution, onCall } = advice;
    const facts = { status, actor, retry, resolvedBy: resolvedBy.length > 0 ? resolvedBy : undefined };
    collector.add(scope, { kind: "code", name: "the code", facts, texts: [meaning, resolution, onCall] });
    collector.schema(location, { ...scope, title: "the error" });
  }
  for (const element of machineData(contract, formerNames)) collector.elements.set(element.id, element);
  return collector.elements;
}

/** The last part of the id of an element that is a whole value: a body, parameter, header or error. */
const wholeValue = "(whole)";

type Discriminator = { propertyName: string; mapping?: Record<string, string> };
type Scope = Pick<Element, "id" | "subject" | "direction" | "editions" | "provenance">;
type Part = Pick<Element, "kind" | "name"> & Partial<Pick<Element, "parent" | "required" | "facts" | "texts">>;

class Collector {
  readonly elements = new Map<string, Element>();
  readonly #contract: Contract;

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  add(scope: Scope, part: Part): Element {
    const element = { parent: "", facts: {}, texts: [], ...scope, ...part };
    this.elements.set(scope.id, element);
    return element;
  }

  service(): void {
    const { servers } = this.#contract.document;
    const scope = { id: "service", subject: "service", direction: "response", provenance: "specification" } as const;
    const facts = { servers: serverAddresses(servers) };
    this.add({ ...scope, editions: editionsOf(undefined) }, { kind: "service", name: "the service", facts });
  }

  operation(operation: Operation, id = operation.name): void {
    const { operationId, method, path, address, summary, description, tag, node, location } = operation;
    const texts = [summary, description, tag, node.externalDocs];
    const scope = this.#subject(operation, id, "request");
    const ownServers = node.servers ?? operation.item.child("servers").value;
    const facts = {
      operationId,
      method,
      path,
      address,
      security: this.#security(operation),
      servers: ownServers === undefined ? undefined : serverAddresses(ownServers as typeof node.servers),
      deprecated: deprecationOf(location),
    };
    this.add(scope, { kind: "operation", name: "the operation", facts, texts });
    this.#parts(operation, scope, "request");
  }

  webhook(webhook: Webhook, id = webhook.name): void {
    const { name, method, path, dedupeKey, pathProvenance, summary, description, tag } = webhook;
    const scope = this.#subject(webhook, id, "response");
    const facts = {
      name,
      method,
      dedupeKey,
      security: this.#security(webhook),
      deprecated: deprecationOf(webhook.location),
    };
    this.add(scope, { kind: "webhook", name: "the webhook", facts, texts: [summary, description, tag] });
    const provenance = weakestProvenance(scope.provenance, pathProvenance);
    const pathScope = { ...scope, id: `${id}/path`, provenance };
    this.add(pathScope, { kind: "header", name: "path on your server", parent: id, facts: { route: path } });
    this.#parts(webhook, scope, "response");
  }

  #subject({ provenance = "specification", kind }: Operation | Webhook, id: string, direction: Direction): Scope {
    const editions = editionsOf(kind === "webhook" ? undefined : provenance);
    return { id, subject: id, direction, editions, provenance };
  }

  /** The accepted credentials: for each alternative, the list of all credentials that are required together. */
  #security({ node }: Operation | Webhook): string[][] {
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
  #parts({ parameters, requestBody, responses, kind }: Operation | Webhook, scope: Scope, direction: Direction): void {
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
      const facts = {
        style,
        explode,
        allowReserved: node.allowReserved || undefined,
        deprecated: deprecationOf(location.target),
      };
      const title = `${parameterLocation} parameter \`${name}\``;
      this.add(part, { kind: "parameter", name: title, parent, required, facts, texts: [node.description] });
      this.schema(schema, { ...part, title });
      if (required) delete this.elements.get(`${part.id}/${wholeValue}`)?.facts.default;
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
      this.#bodies(requestBody.bodies, { ...part, title });
    }
    for (const response of responses) this.#response(response, scope, direction === "request" ? "response" : "request");
  }

  #response(response: DocumentedResponse, { id: parent, ...scope }: Scope, direction: Direction): void {
    const { key, effectiveProvenance: provenance, codeRefs, bodies, isOpen, location, description } = response;
    const part = { ...scope, id: `${parent}/${key}`, direction, provenance };
    const title = `the ${key} response`;
    const discriminators = bodies.map(({ schema }) => schema.at("discriminator").value as Discriminator | undefined);
    const discriminator = discriminators.find((each) => each !== undefined);
    const facts = codeRefs.length > 0 ? { isOpen, discriminator } : {};
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
      this.schema(target.child("schema"), { ...headerScope, title: headerTitle });
    }
    for (const { code, effectiveProvenance } of codeRefs) {
      const codeScope = { ...part, id: `${parent}/${code}`, provenance: effectiveProvenance };
      this.add(codeScope, { kind: "code", name: `code ${code}`, parent, facts: { status: key } });
    }
    this.#bodies(bodies, { ...part, title });
  }

  #bodies(bodies: Body[], scope: Scope & { title: string }): void {
    bodies.forEach(({ mediaType, schema, partTypes, examples }, index) => {
      const id = `${scope.id}:${mediaType.replace(/ *; *charset=utf-8$/i, "")}`;
      const facts = Object.keys(partTypes).length > 0 ? { partTypes } : {};
      const texts = examples.map(({ name, summary, value }) => [name, summary, value]);
      const name = `media type ${mediaType} of ${scope.title}`;
      this.add({ ...scope, id }, { kind: "media", name, parent: scope.id, facts, texts });
      // Field ids do not contain the first media type, so that they stay the same if it changes. Further media types have their own fields.
      const bodyScope = index === 0 ? scope : { ...scope, id, title: `${scope.title} (${mediaType})` };
      const hasCodes = alternativesOf(schema).some((branch) => codeOf(branch) !== undefined);
      if (!hasCodes) this.schema(schema, bodyScope);
    });
  }

  /**
   * Adds the fields and alternatives of a schema. Merges `allOf`, references, and the choice between one schema and `null` into one field.
   */
  schema(schema: SourceLocation, scope: Scope & { title: string }): void {
    const { title, id: root, ...rest } = scope;
    const describedElements = new Set<Element>();
    const walk = (
      location: SourceLocation,
      path: string,
      enclosingProvenance: Provenance,
      ancestorIds: readonly string[],
    ): void => {
      if (ancestorIds.includes(location.id) || typeof location.value !== "object" || location.value === null) return;
      const provenance = weakestProvenance(enclosingProvenance, markOn(location));
      const id = path === "" ? `${root}/${wholeValue}` : `${root}/${path}`;
      const element = this.elements.get(id) ?? this.#addField(path, { ...rest, id, provenance }, { root, title });
      describedElements.add(element);
      const innerAncestorIds = [...ancestorIds, location.id];
      for (const keyword of Object.keys(location.value)) addFact(element, location.child(keyword));
      element.facts.deprecated ??= deprecationOf(location);
      if (location.target.id !== location.id) walk(location.target, path, provenance, innerAncestorIds);
      for (const { schema: inner, keyword, property } of subschemasOf(location)) {
        const innerPath = innerPathOf(path, { location, inner, keyword, property });
        if (innerPath !== undefined) walk(inner, innerPath, provenance, innerAncestorIds);
        if (innerPath === path && hasNull(location, keyword)) permitNull(element);
      }
      for (const keyword of ["oneOf", "anyOf"]) setFormTypes(element, location, keyword);
    };
    walk(schema, "", scope.provenance, []);
    for (const element of describedElements) this.#markRequired(element, root);
  }

  #addField(path: string, scope: Scope, { root, title }: { root: string; title: string }): Element {
    const isAlternative = /\([^()]*\)$/.test(path);
    const field = path.replace(/\([^()]*\)$/, "");
    const fullName = field === "" ? title : `field \`${field}\` of ${title}`;
    const name = isAlternative ? `the alternative \`${path.slice(field.length + 1, -1)}\` of ${fullName}` : fullName;
    const holder = parentOf(path);
    const kind = isAlternative ? "alternative" : "field";
    return this.add(scope, { kind, name, parent: holder === "" ? root : `${root}/${holder}` });
  }

  /** Marks a field as required. Its default is removed, because a field that is always sent never uses it. */
  markAsRequired(field: Element): void {
    field.required = true;
    delete field.facts.default;
  }

  #markRequired({ id, facts }: Element, root: string): void {
    const prefix = id === `${root}/${wholeValue}` ? `${root}/` : `${id}.`;
    const undescribedNames = new Set<string>();
    for (const name of (facts.required as string[] | undefined) ?? []) {
      const field = this.elements.get(prefix + name);
      if (field === undefined) undescribedNames.add(name);
      else this.markAsRequired(field);
    }
    delete facts.required;
    facts.requiredNames = [...undescribedNames].sort();
  }
}

/** The path of a subschema's element, which can be that of its parent; undefined if the subschema is `null` or only part of a fact. */
function innerPathOf(
  path: string,
  {
    location,
    inner,
    keyword,
    property,
  }: { location: SourceLocation; inner: SourceLocation; keyword: string; property: string | undefined },
): string | undefined {
  if (property !== undefined) return path === "" ? property : `${path}.${property}`;
  if (keyword === "allOf") return path;
  if (keyword === "items") return `${path}[]`;
  if (keyword === "additionalProperties") return `${path}.*`;
  if (keyword !== "oneOf" && keyword !== "anyOf") return undefined;
  if (
    isNull(inner) ||
    requiredByBranches(location.child(keyword)) !== undefined ||
    knownValues(location.child(keyword))
  )
    return undefined;
  if (typesOfForms(location.child(keyword)) !== undefined) return path;
  const alternatives = location
    .child(keyword)
    .items()
    .filter((branch) => !isNull(branch));
  if (alternatives.length === 1) return path;
  return `${path}(${nameOfAlternative(inner, alternatives)})`;
}

/**
 * The name of an alternative: that of its component, or its type, which is numbered from the second alternative of the same type on. Titles
 * are not used, because they can change between versions.
 */
function nameOfAlternative(branch: SourceLocation, alternatives: readonly SourceLocation[]): string {
  if (branch.target.id !== branch.id) return branch.target.name;
  const typeOf = ({ value }: SourceLocation): string => String([(value as { type?: unknown }).type ?? "any"].flat());
  const sameTypeBranches = alternatives.filter((each) => each.target.id === each.id && typeOf(each) === typeOf(branch));
  const index = sameTypeBranches.findIndex((each) => each.id === branch.id);
  return index > 0 ? `${typeOf(branch)} ${index + 1}` : typeOf(branch);
}

function parentOf(path: string): string {
  return path.replace(/(\.[^.]*|\[\]|\([^()]*\)|^[^.[(]+)$/, "");
}

const isNull = ({ value }: SourceLocation): boolean => (value as { type?: unknown } | undefined)?.type === "null";
const hasNull = (location: SourceLocation, keyword: string): boolean => location.child(keyword).items().some(isNull);

/** If the alternatives of a value differ in their type, sets the type of the value: all of these types that its own schema permits. */
function setFormTypes({ facts }: Element, location: SourceLocation, keyword: string): void {
  const forms = location.child(keyword);
  const types = forms.exists && knownValues(forms) === undefined ? typesOfForms(forms) : undefined;
  const ownTypes = location.child("type").value;
  if (types !== undefined)
    facts.type = types.filter((type) => ownTypes === undefined || [ownTypes].flat().includes(type)).sort();
}

function permitNull({ facts }: Element): void {
  if (facts.type !== undefined) facts.type = [...new Set([...(facts.type as string[]), "null"])].sort();
}
