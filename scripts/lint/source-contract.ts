/** The hand-written contract as the rules see it: the model, and what only the sources have. */
import { dirname } from "node:path";
import { type Contract, isCode, modelOf, Place, type Subject } from "../contract/index.ts";
import type { Sources } from "../sources/index.ts";
import { StrictSchemas } from "./strict-schemas.ts";

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

/** What was collected while Redocly walked the document. */
export interface Collected {
  root: Place;
  /** Every object, once, by its kind. Objects beside a `$ref` count as well. */
  nodes: Map<string, Place[]>;
  marks: Mark[];
  /** Places of all references. */
  references: Place[];
}

/** The place of a file that is not there. */
const nothing = new Place(undefined, { pointer: "#/", resolve: () => undefined });

export class SourceContract {
  readonly model: Contract;
  readonly root: Place;
  readonly marks: Mark[];
  readonly references: Place[];
  readonly sources: Sources;
  /** `extensions.yaml`: the registry of `x-` keys. */
  readonly extensions: Place;
  /** `open-questions.yaml`. */
  readonly openQuestions: Place;
  /** `resources.yaml`. */
  readonly resources: Place;
  /** `mock.yaml`; empty where there is none. */
  readonly mock: Place;
  /** Every file in the folder of the P-codes, whatever it is called. */
  readonly catalogue: Place[];
  readonly packageVersion: string;
  /** Compiled once, for all rules. */
  readonly schemas: StrictSchemas = new StrictSchemas();
  readonly #nodes: Map<string, Place[]>;

  constructor(collected: Collected, sources: Sources, packageVersion: string) {
    const { layout } = sources;
    this.root = collected.root;
    this.marks = collected.marks;
    this.references = collected.references;
    this.#nodes = collected.nodes;
    this.sources = sources;
    this.extensions = sources.place(layout.extensions);
    this.openQuestions = sources.place(layout.openQuestions);
    this.resources = sources.place(layout.resources);
    this.mock = sources.paths.includes(layout.mock) ? sources.place(layout.mock) : nothing;
    this.catalogue = sources.paths.filter((file) => dirname(file) === layout.errors).map((file) => sources.place(file));
    this.packageVersion = packageVersion;
    this.model = modelOf(
      this.root,
      this.catalogue.filter(({ name }) => isCode(name)),
      sources.registers(),
    );
  }

  get operations() {
    return this.model.operations;
  }

  get webhooks() {
    return this.model.webhooks;
  }

  /** Operations, then webhooks. */
  get subjects(): Subject[] {
    return [...this.operations, ...this.webhooks];
  }

  /** Every id of an open question: under `x-open-questions`, and under `questions` of another mark or of resources.yaml. */
  get questionIds(): Place[] {
    return [
      ...this.marksOf("x-open-questions").flatMap(({ place }) => place.items()),
      ...[...this.marks.map(({ place }) => place), this.resources].flatMap(questionsWithin),
    ];
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

/** The ids under every key `questions` at a place and below it. */
export function questionsWithin(place: Place): Place[] {
  const parts = [...place.entries(), ...place.items().map((item): [string, Place] => ["", item])];
  return parts.flatMap(([key, part]) => (key === "questions" ? part.items() : questionsWithin(part)));
}

/** The name of the schema of an error that has no P-code. */
export const errorWithoutCode = "ErrorWithoutCode";

/** The schemas of what the service sends, its answers and webhooks, and of the answers to these. */
export function schemasFromService({ subjects, webhooks }: SourceContract): Place[] {
  const answers = subjects.flatMap((subject) => subject.answers.flatMap(({ bodies }) => bodies));
  const events = webhooks.flatMap(({ requestBody }) => requestBody?.bodies ?? []);
  return [...answers, ...events].map(({ place }) => place.own("schema"));
}

/** Whether a content type is JSON. */
export function isJson(mediaType: string): boolean {
  return /^application\/(.+\+)?json\b/.test(mediaType);
}
