/** Pictures of lifecycles and journeys. */
export * from "./lifecycle-data.ts";
export { LifecycleDiagram } from "./lifecycle-diagram.tsx";
export { drawLifecycle } from "./lifecycle-layout.ts";
export type { Area, DiagramTarget, Point } from "./parts.tsx";
export { SequenceDiagram } from "./sequence-diagram.tsx";
