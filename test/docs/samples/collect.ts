/** All samples of both editions. */
import { readFileSync } from "node:fs";
import {
  bundleFile,
  type Contract,
  type Edition,
  editions,
  type Operation,
  readContract,
  type Webhook,
} from "../../../scripts/contract/index.ts";
import {
  codeSample,
  operationSamples,
  type Sample,
  type SampleLanguage,
  type WebhookSample,
  webhookSamples,
} from "../../../scripts/docs/samples/index.ts";

export interface CollectedSample extends Sample {
  /** Edition, operation and name. */
  id: string;
  edition: Edition;
  operation: Operation;
  /** The P-code or status that it provokes; undefined for the sample of an example. */
  code: string | undefined;
}

export interface CollectedWebhook extends WebhookSample {
  id: string;
  edition: Edition;
  webhook: Webhook;
}

/** The committed bundles, which the mock and the client are made from as well. */
const contracts = Object.fromEntries(
  editions.map((edition) => [edition, readContract(JSON.parse(readFileSync(bundleFile(edition, "json"), "utf8")))]),
) as Record<Edition, Contract>;

/** One for each named example of a request, and one for each code or other documented failure of each operation. */
export function collectSamples(): CollectedSample[] {
  return editions.flatMap((edition) => {
    const contract = contracts[edition];
    const context = { edition, contract };
    return contract.operations.flatMap((operation) => {
      const codes = new Set(operation.answers.flatMap((answer) => failuresOf(answer)));
      const samples = operationSamples(operation, context).map((sample) => ({ ...sample, code: undefined }));
      const provoking = [...codes].map((code) => ({ ...codeSample(operation, code, context), code }));
      return [...samples, ...provoking].map((sample) => {
        return { ...sample, id: `${edition} ${operation.operationId} ${sample.name}`, edition, operation };
      });
    });
  });
}

function failuresOf({ status, key, codes }: Operation["answers"][number]): string[] {
  return codes.length === 0 && status >= 400 ? [key] : codes;
}

export function collectWebhooks(): CollectedWebhook[] {
  return editions.flatMap((edition) => {
    const contract = contracts[edition];
    return contract.webhooks.flatMap((webhook) =>
      webhookSamples(webhook, { edition, contract }).map((sample) => {
        return { ...sample, id: `${edition} ${webhook.name} ${sample.name}`, edition, webhook };
      }),
    );
  });
}

/** The code of a sample in a language. */
export function codeIn({ snippets }: Sample, language: SampleLanguage): string {
  return snippets.find((snippet) => snippet.language === language)?.code ?? "";
}

/** One of all that have the same text. */
export function distinct<Item>(items: Item[], textOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [textOf(item), item])).values()];
}
