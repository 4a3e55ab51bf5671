/** All samples of the site. */
import type { Operation, Webhook } from "../../../scripts/contract/index.ts";
import {
  codeSample,
  operationSamples,
  type Sample,
  type SampleLanguage,
  type WebhookSample,
  webhookSamples,
} from "../../../scripts/docs/samples/index.ts";
import { site } from "../whole-site.ts";

export interface CollectedSample extends Sample {
  /** Operation and name. */
  id: string;
  operation: Operation;
  /** The P-code or status that it provokes; undefined for the sample of an example. */
  code: string | undefined;
}

export interface CollectedWebhook extends WebhookSample {
  id: string;
  webhook: Webhook;
}

/** One for each named example of a request, and one for each code or other documented failure of each operation. */
export function collectSamples(): CollectedSample[] {
  return site.contract.operations.flatMap((operation) => {
    const codes = new Set(operation.answers.flatMap((answer) => failuresOf(answer)));
    const samples = operationSamples(operation, site).map((sample) => ({ ...sample, code: undefined }));
    const provoking = [...codes].map((code) => ({ ...codeSample(operation, code, site), code }));
    return [...samples, ...provoking].map((sample) => {
      return { ...sample, id: `${operation.operationId} ${sample.name}`, operation };
    });
  });
}

function failuresOf({ status, key, codes }: Operation["answers"][number]): string[] {
  return codes.length === 0 && status >= 400 ? [key] : codes;
}

export function collectWebhooks(): CollectedWebhook[] {
  return site.contract.webhooks.flatMap((webhook) =>
    webhookSamples(webhook).map((sample) => ({ ...sample, id: `${webhook.name} ${sample.name}`, webhook })),
  );
}

/** The code of a sample in a language. */
export function codeIn({ snippets }: Sample, language: SampleLanguage): string {
  return snippets.find((snippet) => snippet.language === language)?.code ?? "";
}

/** One of all that have the same text. */
export function distinct<Item>(items: Item[], textOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [textOf(item), item])).values()];
}
