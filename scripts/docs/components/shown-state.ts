/** The values of a state that an edition shows. */
import type { Contract, JsonSchema, Place, Resource, State } from "../../contract/index.ts";

/** The schema of a status in the bundle; undefined for a state without one, or where the edition has none. */
export function schemaOfStatus({ place }: Resource, { root }: Contract): Place | undefined {
  const file = place.own("status").value;
  if (typeof file !== "string") return undefined;
  const schema = root.own(
    "components",
    "schemas",
    file
      .split("/")
      .at(-1)
      ?.replace(/\.yaml$/, "") ?? "",
  );
  return schema.exists ? schema : undefined;
}

/**
 * A state with only those values that the edition knows: the register has those of all editions. Values of a state without
 * a schema are as sure as its transitions.
 */
export function shownState(resource: Resource, state: State, contract: Contract): State {
  if (!resource.place.own("status").exists) return state.moves === undefined ? { ...state, values: [] } : state;
  const { value } = schemaOfStatus(resource, contract) ?? {};
  const known = (value as JsonSchema | undefined)?.["x-open-enum"] ?? {};
  return { ...state, values: state.values.filter((name) => Object.hasOwn(known, name)) };
}
