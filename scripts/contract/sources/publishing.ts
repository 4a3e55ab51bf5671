import { Sources } from "./sources.ts";
import { mapWith, valueOfForm } from "./value-of-form.ts";

/** A value is null if the address does not exist yet. */
export interface Publishing {
  /** "npm" for npm's default registry, or the https address of another registry. */
  readonly registry: string | null;
  readonly repository: string | null;
  readonly support: string | null;
  readonly status: string | null;
}

const orNull = (description: string, pattern: string) => ({ description, type: ["string", "null"], pattern });
const address = orNull("null or an https address", "^https://\\S+$");
const form = mapWith({
  registry: orNull("null, npm or an https address", "^(npm|https://\\S+)$"),
  repository: address,
  support: orNull("null, or an https or mailto address", "^(https://|mailto:)\\S+$"),
  status: address,
});

/** @throws {UsageError} if the file cannot be read, or a key is missing, unknown or malformed. */
export function readPublishing(sources: Sources = new Sources()): Publishing {
  return { ...valueOfForm<Publishing>(sources.location(sources.layout.publishing), form) };
}
