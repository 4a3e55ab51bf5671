/** The samples of the site: texts made from the named examples of the contract. */
import type { Contract } from "../../contract/index.ts";

export type SampleLanguage = "curl" | "typescript" | "fetch";

/** Code that can be copied. */
export interface Snippet {
  language: SampleLanguage;
  /** "curl", "TypeScript client" or "fetch". */
  label: string;
  highlight: "bash" | "typescript";
  code: string;
}

/** What the mock answers to a sample. */
export interface SampleAnswer {
  status: number;
  mediaType: string | undefined;
  /** The documented body; undefined where none is documented. */
  body: unknown;
  /** Whether the mock answers from its state, so that it can tell of another moment than the documented body. */
  isFromState: boolean;
}

/** A call in every language. */
export interface Sample {
  /** Unique among the samples of its operation: the name of an example, or a P-code. */
  name: string;
  title: string;
  /** A remark to be shown above. */
  note: string | undefined;
  snippets: Snippet[];
  answer: SampleAnswer | undefined;
}

/** A receiver of a webhook, and how an event is sent to it. */
export interface WebhookSample {
  /** The name of the example. */
  name: string;
  title: string;
  /** The same for all examples of a webhook. */
  receiver: Snippet;
  /** The command that sends the event to the receiver. */
  send: { label: string; highlight: "bash"; code: string };
  /** The event, as the example shows it; the command gives it a fresh identifier and time. */
  event: unknown;
}

export interface SampleContext {
  contract: Contract;
}

export { codeSample, operationSamples } from "./operation-samples.ts";
export { webhookSamples } from "./webhook-samples.ts";
