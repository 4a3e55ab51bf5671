/** The lifecycles of a resource: one for each of its states. */
import type { Resource, State } from "../../contract/index.ts";
import type { DiagramTarget } from "../diagrams/index.ts";
import { causesOf, LifecycleDiagram } from "../diagrams/index.ts";
import { findTarget } from "../site/site.ts";
import { useHrefs, usePage } from "./page-context.ts";

/** Addresses for the links of diagrams. */
export function useDiagramHrefs(): (target: DiagramTarget) => string | undefined {
  const { site } = usePage();
  const hrefs = useHrefs();
  return ({ kind, name }) => {
    const target = findTarget(site, kind, name);
    return target === undefined ? undefined : hrefs.to(target);
  };
}

export function Lifecycles({ resource }: { resource: Resource }) {
  return resource.states.map((state) => <StateLifecycle key={state.name} resource={resource} state={state} />);
}

/** How the values of one state follow each other. */
export function StateLifecycle({ resource, state }: { resource: Resource; state: State }) {
  const { contract } = usePage().site;
  const hrefOf = useDiagramHrefs();
  return (
    <LifecycleDiagram
      id={`${resource.name}-${state.name}`}
      resource={resource}
      state={state}
      causes={causesOf(contract, resource, state)}
      hrefOf={hrefOf}
    />
  );
}
