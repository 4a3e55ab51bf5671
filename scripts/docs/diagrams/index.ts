/** Pictures of lifecycles and journeys. */
export * from "./lifecycle-data.ts";
export { LifecycleDiagram } from "./lifecycle-diagram.tsx";
export { drawLifecycle } from "./lifecycle-layout.ts";
export type { DiagramTarget, HrefOf } from "./links.ts";
export * from "./sequence-data.ts";
export { SequenceDiagram } from "./sequence-diagram.tsx";
