/**
 * What a bundle holds, element by element, each with its effective provenance: the weakest of the marks on the way from
 * the operation or webhook. Worked out here from the document alone, and not by the code that makes the editions.
 */
import { methods, type OpenApiDocument, type Provenance } from "../../scripts/contract/index.ts";

/** The classes, strongest first. */
export const classes: Provenance[] = ["specification", "reference", "observed", "proposed"];

export interface Element {
  provenance: Provenance;
  /** Open questions about it and about what it refers to; of a required property, about the schema that requires it. */
  questions: string[];
}

/** Elements by name: an operationId or the key of a webhook, and the way from there, such as `updateUser 400 P452`. */
export type Elements = Map<string, Element>;

type Node = Record<string, unknown>;

/** All elements of a bundle. Of several occurrences of one (branches of a schema) the strongest counts. */
export function elementsOf(document: OpenApiDocument): Elements {
  const walk = new Walk(document);
  for (const item of Object.values(document.paths) as Node[]) {
    for (const method of methods) if (item[method] !== undefined) walk.operation(item, item[method] as Node);
  }
  for (const [key, item] of Object.entries(document.webhooks ?? {})) walk.webhook(key, item.post as unknown as Node);
  return walk.elements;
}

class Walk {
  readonly elements: Elements = new Map();

  readonly #document: OpenApiDocument;

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  operation(item: Node, operation: Node): void {
    const id = String(operation.operationId);
    const whole = this.#note(id, operation, { provenance: "specification", questions: [] });
    for (const node of [...listOf(item.parameters), ...listOf(operation.parameters)]) {
      const [parameter, element] = this.#resolve(node, whole);
      const name = `${id} ${parameter.in} ${parameter.name}`;
      this.#keep(name, element);
      if (parameter.in !== "path" && parameter.required === true) this.#keep(`${name} required`, element);
      this.#schema(name, parameter.schema, inside(element));
    }
    this.#bodies(id, operation, whole);
  }

  webhook(key: string, operation: Node): void {
    const whole = this.#note(key, operation, { provenance: "specification", questions: [] });
    const path = operation["x-webhook-path"] as Node | undefined;
    if (path !== undefined) this.#keep(`${key} path`, weaken(whole, { "x-provenance": path.provenance }));
    this.#bodies(key, operation, whole);
  }

  #bodies(id: string, operation: Node, whole: Element): void {
    if (operation.requestBody !== undefined) this.#content(`${id} request`, operation.requestBody, whole);
    for (const [status, response] of entriesOf(operation.responses)) this.#content(`${id} ${status}`, response, whole);
  }

  #content(name: string, holder: unknown, enclosing: Element): void {
    const [target, element] = this.#resolve(holder as Node, enclosing);
    this.#keep(name, element);
    for (const [, { schema }] of entriesOf(target.content)) this.#schema(name, schema, inside(element));
  }

  /** The codes of an answer, or the properties, required properties and values of a schema. */
  #schema(name: string, node: unknown, enclosing: Element, above: unknown[] = []): void {
    if (!isNode(node)) return;
    const [schema, element] = this.#resolve(node, enclosing);
    if (above.includes(schema)) return;
    const within = [...above, schema];
    const code = (isNode(schema.properties) ? (schema.properties.errorCode as Node | undefined) : undefined)?.const;
    if (code !== undefined) this.#keep(`${name} ${code}`, element);
    if (code !== undefined) return;
    // The open question on the schema of a request asks which of its fields are required.
    const isAsked = / request\b/.test(name) && listOf(schema["x-open-questions"]).length > 0;
    const list = weaken(element, isAsked ? { "x-provenance": "proposed" } : {});
    for (const property of listOf(schema.required)) this.#keep(`${name}.${property} required`, list);
    for (const [property, inner] of entriesOf(schema.properties)) {
      this.#keep(`${name}.${property}`, this.#resolve(inner, inside(element))[1]);
      this.#schema(`${name}.${property}`, inner, inside(element), within);
    }
    for (const value of [schema.const, ...listOf(schema.enum)])
      if (typeof value === "string") this.#keep(`${name}=${value}`, element);
    for (const [value, { provenance }] of entriesOf(schema["x-open-enum"]))
      this.#keep(`${name}=${value}`, weaken(element, { "x-provenance": provenance }));
    for (const keyword of ["allOf", "anyOf", "oneOf"])
      for (const branch of listOf(schema[keyword])) this.#schema(name, branch, element, within);
    this.#schema(name, schema.items, inside(element), within);
    this.#schema(`${name}.*`, schema.additionalProperties, inside(element), within);
  }

  /** What a node refers to in the end, and the element that it is there. */
  #resolve(node: Node, enclosing: Element): [Node, Element] {
    const element = weaken(enclosing, node);
    if (typeof node.$ref !== "string") return [node, element];
    const keys = node.$ref.replace("#/", "").split("/");
    return this.#resolve(
      keys.reduce<Node>((inner, key) => inner[key] as Node, this.#document as unknown as Node),
      element,
    );
  }

  #note(name: string, node: Node, enclosing: Element): Element {
    const element = weaken(enclosing, node, "proposed");
    this.#keep(name, element);
    return element;
  }

  #keep(name: string, element: Element): void {
    const known = this.elements.get(name);
    if (known === undefined || rank(element.provenance) < rank(known.provenance)) this.elements.set(name, element);
  }
}

const rank = (provenance: Provenance) => classes.indexOf(provenance);

function weaken({ provenance, questions }: Element, node: Node, unmarked = provenance): Element {
  const mark = (node["x-provenance"] as Provenance | undefined) ?? unmarked;
  return {
    provenance: rank(mark) > rank(provenance) ? mark : provenance,
    questions: [...questions, ...(listOf(node["x-open-questions"]) as unknown as string[])],
  };
}

/** What an element passes on to those within it: its provenance, but not its questions. */
const inside = ({ provenance }: Element): Element => ({ provenance, questions: [] });

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): Node[] {
  return Array.isArray(value) ? value : [];
}

function entriesOf(value: unknown): [string, Node][] {
  return isNode(value) ? (Object.entries(value) as [string, Node][]) : [];
}
