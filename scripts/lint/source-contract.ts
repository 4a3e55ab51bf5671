/** The input of rules: the model of the sources, and details that only the files have. */
import type { NormalizedNodeType, Oas3Visitor, UserContext } from "@redocly/openapi-core";
import {
  type Contract,
  isCode,
  isRef,
  modelOf,
  type Resolve,
  SourceLocation,
  type Subject,
} from "../contract/model/index.ts";
import type { Sources } from "../contract/sources/index.ts";
import { StrictSchemas } from "./strict-schemas.ts";

/** An `x-` key somewhere in the contract. */
export interface Mark {
  key: string;
  /** The type of the object with the key, as Redocly names it. */
  on: string;
  /** The object with the key. */
  holder: SourceLocation;
  /** The value of the key. */
  location: SourceLocation;
}

const registers = ["extensions", "openQuestions", "resources", "mock", "mockControl", "scenario", "probes"] as const;

export interface SourceContract extends Contract {
  /** Operations, then webhooks. */
  subjects: Subject[];
  /** All objects of some types (`Schema`, `MediaType`, `Parameter`…), once each, including objects next to a `$ref`. */
  nodes(...kinds: string[]): SourceLocation[];
  marks: Mark[];
  /** The nodes of all references. */
  references: SourceLocation[];
  sources: Sources;
  /** The register files; those that do not exist are empty. */
  files: Record<(typeof registers)[number], SourceLocation>;
  /** Every entry of errors.yaml, whatever its name. */
  catalogue: SourceLocation[];
  packageVersion: string;
  /** Compiled once for all rules. */
  schemas: StrictSchemas;
}

/** The schema of an error without a P-code. */
export const errorWithoutCode = "ErrorWithoutCode";

/** Redocly's type name of Reference Objects, which cannot override keys of their target. */
export const referenceObject = "Reference";

/** The node of a missing file. */
const nothing = new SourceLocation(undefined, { pointer: "#/", resolve: () => undefined });

/** Collects nodes while Redocly walks the sources and resolves references. It checks nothing. */
export class Collector {
  readonly #nodes = new Map<string, SourceLocation[]>();
  readonly #marks: Mark[] = [];
  readonly #references: SourceLocation[] = [];

  readonly visitor: Oas3Visitor = {
    any: {
      enter: (node, context) => {
        if (isPlainObject(node)) this.#collect(context.type, locationAt(node, context));
      },
    },
    ref: {
      enter: (node, context) => {
        const location = locationAt(node, context);
        this.#references.push(location);
        if (!takesSiblings(context.type)) this.#add(referenceObject, location);
        else if (Object.keys(node).length > 1) this.#collect(context.type, location);
      },
    },
  };

  /** The contract, after the walk has left the root; undefined when a reference is broken. */
  contract(root: SourceLocation, sources: Sources, packageVersion: string): SourceContract | undefined {
    if (this.#references.some(({ target }) => !target.exists)) return undefined;
    const { layout, paths } = sources;
    const entries = paths.includes(layout.errors) ? sources.location(layout.errors).entries() : [];
    const catalogue = entries.map(([, entry]) => entry);
    const files = registers.map((name) => [
      name,
      paths.includes(layout[name]) ? sources.location(layout[name]) : nothing,
    ]);
    const coded = catalogue.filter(({ name }) => isCode(name));
    const model = modelOf(root, coded, sources.registers());
    return {
      ...model,
      subjects: [...model.operations, ...model.webhooks],
      nodes: (...kinds) => kinds.flatMap((kind) => this.#nodes.get(kind) ?? []),
      marks: this.#marks,
      references: this.#references,
      sources,
      files: Object.fromEntries(files) as SourceContract["files"],
      catalogue,
      packageVersion,
      schemas: new StrictSchemas(),
    };
  }

  #add(kind: string, location: SourceLocation): void {
    const sameKind = this.#nodes.get(kind) ?? [];
    sameKind.push(location);
    this.#nodes.set(kind, sameKind);
  }

  #collect({ name: on, extensionsPrefix }: NormalizedNodeType, holder: SourceLocation): void {
    this.#add(on, holder);
    if (extensionsPrefix === undefined) return;
    for (const key of Object.keys(holder.value as object)) {
      if (key.startsWith(extensionsPrefix)) this.#marks.push({ key, on, holder, location: holder.own(key) });
    }
  }
}

/** The node that Redocly visits. */
export function locationAt(
  node: unknown,
  { location, resolve }: Pick<UserContext, "location" | "resolve">,
): SourceLocation {
  const follow: Resolve = (ref, file) => {
    const found = resolve<object>(ref, file);
    if (found.location === undefined) return undefined;
    return { value: found.node, source: found.location.source, pointer: found.location.pointer };
  };
  return new SourceLocation(node, { source: location.source, pointer: location.pointer, resolve: follow });
}

/** Whether keys next to a `$ref` have an effect: in schemas, where `$ref` is a keyword, and in path items (OpenAPI 3.1, 4.8.9). */
function takesSiblings({ name }: NormalizedNodeType): boolean {
  return name === "Schema" || name === "PathItem";
}

function isPlainObject(node: unknown): boolean {
  return typeof node === "object" && node !== null && !Array.isArray(node) && !isRef(node);
}
