/** What the mock asks of somebody who gives its answers a state. */
import type { UploadedFile } from "../behaviours/behaviour.ts";
import type { PlanOperation } from "../plan/plan.ts";
import type { Preferences } from "./choices.ts";

/** A call that was accepted: its key, parameters and body are those that the contract asks for. */
export interface AcceptedCall {
  readonly operation: PlanOperation;
  /** The API key; empty where the operation needs none. */
  readonly key: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed body; undefined where none was sent. */
  readonly body: unknown;
  /** The text of a JSON body, as it was sent. */
  readonly text: string | undefined;
  /** The files of a form, by the name of the part. */
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>;
  /** What `Prefer` asks for besides a documented answer. */
  readonly preferences: Preferences;
}

/** What the call led to: an answer that the operation documents. */
export interface Acted {
  readonly status: number;
  readonly body: unknown;
  readonly code?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log. */
  readonly notes: readonly string[];
}

/** Answers an accepted call. */
export type Act = (call: AcceptedCall) => Acted;
