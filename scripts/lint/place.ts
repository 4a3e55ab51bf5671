/** A node of the hand-written contract together with where it stands, so that each finding can name file and line. */
import { escapePointerFragment, type Source, unescapePointerFragment } from "@redocly/openapi-core";
import { isRef, type Ref } from "../contract/document.ts";

/** Finds what a reference in a file points to. */
export type Resolve = (ref: Ref, file: string) => { value: unknown; source: Source; pointer: string } | undefined;

type Key = string | number;

export class Place {
  /** What stands here. A reference is not followed: see {@link Place.target}. */
  readonly value: unknown;
  readonly source: Source;
  /** JSON pointer in the file, `#/` for the whole of it. */
  readonly pointer: string;
  readonly #resolve: Resolve;

  constructor(value: unknown, source: Source, pointer: string, resolve: Resolve) {
    this.value = value;
    this.source = source;
    this.pointer = pointer;
    this.#resolve = resolve;
  }

  /** Absolute path of the file. */
  get file(): string {
    return this.source.absoluteRef;
  }

  /** Unique among all places of the contract. */
  get id(): string {
    return this.file + this.pointer;
  }

  /** The last part of the pointer: the key or index that this stands under. */
  get key(): string {
    return unescapePointerFragment(this.pointer.slice(this.pointer.lastIndexOf("/") + 1));
  }

  /** Whether anything stands here. */
  get exists(): boolean {
    return this.value !== undefined;
  }

  /** This place, or what the reference here points to. */
  get target(): Place {
    if (!isRef(this.value)) return this;
    const found = this.#resolve(this.value, this.file);
    return new Place(found?.value, found?.source ?? this.source, found?.pointer ?? this.pointer, this.#resolve);
  }

  /** What stands under the keys, in this very file: no reference is followed. */
  own(...keys: Key[]): Place {
    let { value, pointer } = this;
    for (const key of keys) {
      value = isContainer(value) ? (value as Record<Key, unknown>)[key] : undefined;
      pointer = `${pointer.replace(/\/$/, "")}/${escapePointerFragment(key)}`;
    }
    return new Place(value, this.source, pointer, this.#resolve);
  }

  /** What stands under the keys; a reference on the way is followed, one at the end is not. */
  at(...keys: Key[]): Place {
    return keys.reduce((place: Place, key) => place.target.own(key), this);
  }

  /** The values of the object that stands here or is referred to, by key. */
  entries(): [string, Place][] {
    const { target } = this;
    if (!isContainer(target.value) || Array.isArray(target.value)) return [];
    return Object.keys(target.value).map((key) => [key, target.own(key)]);
  }

  /** The values of the list that stands here or is referred to. */
  items(): Place[] {
    const { target } = this;
    return Array.isArray(target.value) ? target.value.map((_, index) => target.own(index)) : [];
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
