/** What a diagram links to. */
export interface DiagramTarget {
  kind: "operation" | "webhook" | "error";
  name: string;
}

/** The address of a page, relative to the one that is being made; undefined where there is none. */
export type HrefOf = (target: DiagramTarget) => string | undefined;
