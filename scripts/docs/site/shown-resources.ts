/** The resources, states and happenings that an edition shows. */
import { type Edition, type Provenance, type Resource, weakest } from "../../contract/index.ts";

/**
 * What is left of the register in an edition: in `latest` nothing proposed. A state whose transitions are not shown keeps
 * its values.
 */
export function shownResources(resources: Resource[], edition: Edition): Resource[] {
  if (edition === "test") return resources;
  const isShown = (...marks: (Provenance | undefined)[]) => weakest("specification", ...marks) !== "proposed";
  return resources.flatMap((resource) => {
    if (!isShown(resource.provenance)) return [];
    const states = resource.states.map((state) => (isShown(state.provenance) ? state : { ...state, moves: undefined }));
    return [{ ...resource, states, outside: resource.outside.filter(({ provenance }) => isShown(provenance)) }];
  });
}
