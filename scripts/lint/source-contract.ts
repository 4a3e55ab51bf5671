import type { NormalizedNodeType, Oas3Visitor, UserContext } from "@redocly/openapi-core";
import { type Contract, isCode, modelOf, type Resolve, SourceLocation, type Subject } from "../contract/model/index.ts";
import type { Sources } from "../contract/sources/index.ts";
import { StrictSchemas } from "./strict-schemas.ts";

export interface Mark {
  key: string;
  /** Redocly's name for the type of `holder`, such as `Schema`. */
  holderType: string;
  holder: SourceLocation;
  location: SourceLocation;
}

const registerNames = [
  ...(["extensions", "openQuestions", "answers", "resources"] as const),
  ...(["mock", "mockControl", "scenario", "probes"] as const),
] as const;

export interface SourceContract extends Contract {
  subjects: Subject[];
  /**
   * All objects of the given types of Redocly, such as `Schema` or `MediaType`. A schema or path item with a `$ref` is a `Schema` or
   * `PathItem`, because keys next to the `$ref` have an effect. Any other object with a `$ref` is a `Reference`.
   */
  nodes(...kinds: string[]): SourceLocation[];
  marks: Mark[];
  references: SourceLocation[];
  sources: Sources;
  /** The root node of each register; a node without value if the file does not exist. */
  files: Record<(typeof registerNames)[number], SourceLocation>;
  /** Every entry of errors.yaml, including entries whose name is not a P-code. */
  catalogue: SourceLocation[];
  packageVersion: string;
  schemas: StrictSchemas;
}

export const errorWithoutCode = "ErrorWithoutCode";

export const referenceObject = "Reference";

const missingNode = new SourceLocation(undefined, { pointer: "#/", resolve: () => undefined });

export class Collector {
  readonly #nodes = new Map<string, SourceLocation[]>();
  readonly #marks: Mark[] = [];
  readonly #references: SourceLocation[] = [];

  readonly visitor: Oas3Visitor = {
    any: {
      enter: (node, context) => this.#collect(context.type, locationAt(node, context)),
    },
    ref: {
      enter: (node, context) => {
        const location = locationAt(node, context);
        this.#references.push(location);
        // Any keys next to a `$ref` have an effect in schemas and path items (JSON Schema 2020-12; OpenAPI 3.1, 4.8.9).
        if (["Schema", "PathItem"].includes(context.type.name)) this.#collect(context.type, location);
        else this.#add(referenceObject, location);
      },
    },
  };

  /** Returns undefined if a reference is broken. Call this after Redocly has visited the whole document. */
  contract(root: SourceLocation, sources: Sources, packageVersion: string): SourceContract | undefined {
    if (this.#references.some(({ target }) => !target.exists)) return undefined;
    const { layout } = sources;
    const entries = sources.optionalLocation(layout.errors)?.entries() ?? [];
    const catalogue = entries.map(([, entry]) => entry);
    const files = registerNames.map((name) => [name, sources.optionalLocation(layout[name]) ?? missingNode]);
    const codedEntries = catalogue.filter(({ name }) => isCode(name));
    const model = modelOf(root, codedEntries, sources.registers({ isLinted: true }));
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
    const nodesOfKind = this.#nodes.get(kind) ?? [];
    nodesOfKind.push(location);
    this.#nodes.set(kind, nodesOfKind);
  }

  #collect({ name: holderType, extensionsPrefix }: NormalizedNodeType, holder: SourceLocation): void {
    this.#add(holderType, holder);
    if (extensionsPrefix === undefined) return;
    for (const key of Object.keys(holder.value ?? {})) {
      if (key.startsWith(extensionsPrefix)) this.#marks.push({ key, holderType, holder, location: holder.child(key) });
    }
  }
}

export function locationAt(
  node: unknown,
  { location, resolve }: Pick<UserContext, "location" | "resolve">,
): SourceLocation {
  const resolveReference: Resolve = (ref, file) => {
    const target = resolve<object>(ref, file);
    if (target.location === undefined) return undefined;
    return { value: target.node, source: target.location.source, pointer: target.location.pointer };
  };
  return new SourceLocation(node, { source: location.source, pointer: location.pointer, resolve: resolveReference });
}
