/** The position of a node is its file and JSON pointer. */
import { parse } from "node:path";
import type { Source } from "@redocly/openapi-core";
import { UsageError } from "../../base/index.ts";
import { isRef, type OpenApiDocument, type Ref } from "./document.ts";

export type Resolve = (ref: Ref, file: string) => { value: unknown; source?: Source; pointer: string } | undefined;

type Key = string | number;

interface Position {
  source?: Source | undefined;
  /** JSON pointer (RFC 6901) as a URI fragment; `#/` for the whole document. */
  pointer: string;
  resolve: Resolve;
}

/**
 * Reads a node in two ways: `child` and `children` do not follow references; `at`, `entries` and `items` first follow a reference. A
 * reference can lead to another reference.
 */
export class SourceLocation {
  /** The value of the node, which may be a reference: see {@link SourceLocation.target}. */
  readonly value: unknown;
  readonly source: Source | undefined;
  readonly pointer: string;
  readonly #resolve: Resolve;

  constructor(value: unknown, { source, pointer, resolve }: Position) {
    this.value = value;
    this.source = source;
    this.pointer = pointer;
    this.#resolve = resolve;
  }

  /** The root of a bundle. Every reference in a bundle starts with `#/`. */
  static ofDocument(document: OpenApiDocument): SourceLocation {
    const targets = new Map<string, { value: unknown; pointer: string }>();
    const resolve: Resolve = ({ $ref }) => {
      const target = targets.get($ref) ?? { value: valueAt(document, $ref), pointer: pointerOf(keysOf($ref)) };
      targets.set($ref, target);
      return target.value === undefined ? undefined : target;
    };
    return new SourceLocation(document, { pointer: "#/", resolve });
  }

  /** Absolute path of the file; empty in a bundle. */
  get file(): string {
    return this.source?.absoluteRef ?? "";
  }

  get id(): string {
    return this.file + this.pointer;
  }

  get key(): string {
    return unescapeKey(this.pointer.slice(this.pointer.lastIndexOf("/") + 1));
  }

  /** The name of the component: the file name without extension if the component is a whole file, otherwise the last key. */
  get name(): string {
    return this.pointer === "#/" ? parse(this.file).name : this.key;
  }

  get exists(): boolean {
    return this.value !== undefined;
  }

  /**
   * The node at the end of the references that begin here; if this node is not a reference, this node.
   *
   * @throws {UsageError} if the references form a circle.
   */
  get target(): SourceLocation {
    if (!isRef(this.value)) return this;
    const visitedIds = new Set<string>();
    let location: SourceLocation = this;
    while (isRef(location.value)) {
      if (visitedIds.has(location.id)) throw new UsageError(`${this.id} is a reference that leads back to itself.`);
      visitedIds.add(location.id);
      location = location.nextTarget;
    }
    return location;
  }

  /** The node to which this reference leads. It can be another reference, with keywords of its own. */
  get nextTarget(): SourceLocation {
    if (!isRef(this.value)) return this;
    const resolvedNode = this.#resolve(this.value, this.file);
    return new SourceLocation(resolvedNode?.value, {
      source: resolvedNode?.source ?? this.source,
      pointer: resolvedNode?.pointer ?? this.pointer,
      resolve: this.#resolve,
    });
  }

  /** The node at a path of keys. Does not follow references. */
  child(...keys: Key[]): SourceLocation {
    let { value } = this;
    let pointer = this.pointer === "#/" && keys.length > 0 ? "#" : this.pointer;
    for (const key of keys) {
      value = memberOf(value, key);
      pointer += `/${escapeKey(String(key))}`;
    }
    return new SourceLocation(value, { source: this.source, pointer, resolve: this.#resolve });
  }

  /** The node at a path of keys. Follows the references on the path, but not a reference at its end. */
  at(...keys: Key[]): SourceLocation {
    return keys.reduce((location: SourceLocation, key) => location.target.child(key), this);
  }

  text(key: Key): string | undefined {
    const { value } = this.child(key);
    return typeof value === "string" ? value : undefined;
  }

  /** The list at a key, as strings. A single value is a list with one item; a key without value is an empty list. */
  texts(key: Key): string[] {
    const { value } = this.child(key);
    return [value ?? []].flat().map(String);
  }

  /** The members of the object that are texts. Empty for any other value. */
  textMembers(): Record<string, string> {
    return Object.fromEntries(
      this.entries().flatMap(([key, { value }]) => (typeof value === "string" ? [[key, value]] : [])),
    );
  }

  /** The members of the object, or of the object that this node refers to. */
  entries(): [string, SourceLocation][] {
    const { target } = this;
    if (!isContainer(target.value) || Array.isArray(target.value)) return [];
    return Object.keys(target.value).map((key) => [key, target.child(key)]);
  }

  /** The members of the object, or the items of the array. Does not follow references. */
  children(): [string, SourceLocation][] {
    return isContainer(this.value) ? Object.keys(this.value).map((key) => [key, this.child(key)]) : [];
  }

  /** The items of the array, or of the array that this node refers to. */
  items(): SourceLocation[] {
    const { target } = this;
    return Array.isArray(target.value) ? target.value.map((_, index) => target.child(index)) : [];
  }
}

/** The references at and below a location. Does not follow them. */
export function referencesIn(location: SourceLocation): SourceLocation[] {
  return [
    ...(isRef(location.value) ? [location] : []),
    ...location.children().flatMap(([, part]) => referencesIn(part)),
  ];
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value);
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The value at a pointer such as `#/components/schemas/User`; undefined if there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  return keysOf(pointer).reduce(memberOf, document);
}

function memberOf(value: unknown, key: Key): unknown {
  return isContainer(value) ? (value as Record<Key, unknown>)[key] : undefined;
}

export function keysOf(pointer: string): string[] {
  const path = pointer.replace(/^#\/?/, "");
  return path === "" ? [] : path.split("/").map(unescapeKey);
}

export function pointerOf(keys: readonly Key[]): string {
  return ["#", ...keys.map((key) => escapeKey(String(key)))].join("/");
}

function escapeKey(key: string): string {
  return /[~/%]/.test(key) ? key.replaceAll("%", "%25").replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

function unescapeKey(key: string): string {
  if (!/[~%]/.test(key)) return key;
  return decode(key).replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Leaves a key with an invalid percent-encoding as it is, as Redocly does. */
function decode(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
