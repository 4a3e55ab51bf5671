/** The hand-written contract as the rules see it: every node knows its file and line. */
import { basename, dirname, join } from "node:path";
import { type Method, methods } from "../contract/document.ts";
import type { Place } from "./place.ts";
import { StrictSchemas } from "./strict-schemas.ts";

/** The property of an error that carries its P-code. */
export const codeProperty = "errorCode";

/** How a P-code looks. */
export const codePattern = /^P\d{3}$/;

const catalogueFolder = "errors";

/** The schema of an error that has no P-code, by the name of its file. */
export const errorWithoutCode = "ErrorWithoutCode.yaml";

/** An `x-` key somewhere in the contract. */
export interface Mark {
  key: string;
  /** The kind of object that it stands on, as Redocly calls it. */
  on: string;
  /** That object. */
  holder: Place;
  /** The value of the key. */
  place: Place;
}

/** A reference to an error schema of the catalogue. */
export interface CodeRef {
  code: string;
  /** Where the reference stands. */
  place: Place;
}

export interface SourceAnswer {
  /** As written: a status, a range or `default`. */
  status: string;
  /** The entry in `responses`, possibly a reference. */
  place: Place;
  /** Content type and media type object. */
  media: [string, Place][];
  codes: CodeRef[];
}

export interface SourceOperation {
  /** How findings name it. */
  name: string;
  /** Path, or key of the webhook. */
  key: string;
  method: Method;
  item: Place;
  place: Place;
  parameters: Place[];
  requestBody: Place;
  answers: SourceAnswer[];
}

/** What was collected while walking the contract. */
export interface Collected {
  root: Place;
  /** Every object, once, by its kind. Objects beside a `$ref` count as well. */
  nodes: Map<string, Place[]>;
  marks: Mark[];
  /** Places of all references. */
  references: Place[];
}

/** What is read besides the OpenAPI document. */
export interface Surroundings {
  extensions: Place;
  openQuestions: Place;
  /** Every file of the catalogue of P-codes. */
  catalogue: Place[];
  packageVersion: string;
  /** All YAML files beside and below the root document. */
  files: Place[];
}

export class SourceContract {
  readonly root: Place;
  readonly operations: SourceOperation[];
  readonly webhooks: SourceOperation[];
  readonly marks: Mark[];
  readonly references: Place[];
  readonly extensions: Place;
  readonly openQuestions: Place;
  readonly catalogue: Place[];
  readonly packageVersion: string;
  readonly files: Place[];
  /** Compiled once, for all rules. */
  readonly schemas: StrictSchemas = new StrictSchemas();
  readonly #nodes: Map<string, Place[]>;

  constructor(collected: Collected, surroundings: Surroundings) {
    this.root = collected.root;
    this.marks = collected.marks;
    this.references = collected.references;
    this.#nodes = collected.nodes;
    this.extensions = surroundings.extensions;
    this.openQuestions = surroundings.openQuestions;
    this.catalogue = surroundings.catalogue;
    this.packageVersion = surroundings.packageVersion;
    this.files = surroundings.files;
    this.operations = operationsOf(this.root.own("paths")).map((entry) => readOperation(entry, "operation"));
    this.webhooks = operationsOf(this.root.own("webhooks")).map((entry) => readOperation(entry, "webhook"));
  }

  /** Every object of a kind (`Schema`, `MediaType`, `Parameter`…), once. */
  nodes(kind: string): Place[] {
    return this.#nodes.get(kind) ?? [];
  }

  /** The marks with a key. */
  marksOf(key: string): Mark[] {
    return this.marks.filter((mark) => mark.key === key);
  }
}

/** Files beside the root document that are no part of it. */
export function layoutOf(rootFile: string) {
  const folder = dirname(rootFile);
  return {
    folder,
    extensions: join(folder, "extensions.yaml"),
    openQuestions: join(folder, "open-questions.yaml"),
    /** The catalogue of P-codes, one in each file. */
    errors: join(folder, catalogueFolder),
    /** Workflow descriptions, which are documents of their own. */
    journeys: join(folder, "journeys"),
  };
}

/** The P-code that a file of the catalogue is named after. */
export function codeOfFile(file: string): string {
  return basename(file, ".yaml");
}

/** Whether a schema is in the catalogue of P-codes. */
export function isCatalogued(schema: Place): boolean {
  return basename(dirname(schema.target.file)) === catalogueFolder && schema.target.pointer === "#/";
}

/** The references to P-codes in the `oneOf` of a schema. */
export function codeRefsOf(schema: Place): CodeRef[] {
  return schema
    .at("oneOf")
    .items()
    .filter(isCatalogued)
    .map((place) => ({ code: codeOfFile(place.target.file), place }));
}

/** The schemas of what the service sends, its answers and webhooks, and of the answers to these. */
export function schemasFromService({ operations, webhooks }: SourceContract): Place[] {
  const answers = [...operations, ...webhooks].flatMap((operation) => operation.answers);
  const bodies = [
    ...answers.flatMap(({ media }) => media),
    ...webhooks.flatMap(({ requestBody }) => requestBody.at("content").entries()),
  ];
  return bodies.map(([, media]) => media.own("schema"));
}

/** Whether a content type is JSON. */
export function isJson(mediaType: string): boolean {
  return /^application\/(.+\+)?json\b/.test(mediaType);
}

interface OperationEntry {
  key: string;
  method: Method;
  item: Place;
  place: Place;
}

function operationsOf(items: Place): OperationEntry[] {
  return items.entries().flatMap(([key, item]) =>
    methods.flatMap((method) => {
      const place = item.at(method);
      return place.exists ? [{ key, method, item: item.target, place }] : [];
    }),
  );
}

function readOperation({ key, method, item, place }: OperationEntry, kind: "operation" | "webhook"): SourceOperation {
  const operationId = place.at("operationId").value;
  return {
    name: kind === "webhook" ? `Webhook ${key}` : String(operationId ?? `${method.toUpperCase()} ${key}`),
    key,
    method,
    item,
    place,
    parameters: [...item.at("parameters").items(), ...place.at("parameters").items()],
    requestBody: place.at("requestBody"),
    answers: place
      .at("responses")
      .entries()
      .filter(([status]) => !status.startsWith("x-"))
      .map(([status, answer]) => readAnswer(status, answer)),
  };
}

function readAnswer(status: string, place: Place): SourceAnswer {
  const media = place.at("content").entries();
  return { status, place, media, codes: media.flatMap(([, type]) => codeRefsOf(type.at("schema"))) };
}
