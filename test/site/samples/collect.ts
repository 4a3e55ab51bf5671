import { type Body, type Operation, type Webhook, walkSchema } from "../../../scripts/contract/model/index.ts";
import {
  codeSample,
  operationSamples,
  type Sample,
  type WebhookSample,
  webhookSamples,
} from "../../../scripts/site/samples/index.ts";
import { site } from "../whole-site.ts";

export interface CollectedSample extends Sample {
  id: string;
  operation: Operation;
  /** The P-code that the sample provokes; undefined if it shows an ordinary call. */
  code: string | undefined;
}

export interface CollectedWebhook extends WebhookSample {
  id: string;
  webhook: Webhook;
}

export function collectSamples(): CollectedSample[] {
  return site.contract.operations.flatMap((operation) => {
    const codes = new Set(operation.responses.flatMap((response) => response.codes));
    const samples = operationSamples(operation, site).map((sample) => ({ ...sample, code: undefined }));
    const provokingSamples = [...codes].map((code) => ({ ...codeSample(operation, code, site), code }));
    return [...samples, ...provokingSamples].map((sample) => {
      return { ...sample, id: `${operation.operationId} ${sample.name}`, operation };
    });
  });
}

export function collectWebhooks(): CollectedWebhook[] {
  return site.contract.webhooks.flatMap((webhook) =>
    webhookSamples(webhook).map((sample) => ({ ...sample, id: `${webhook.name} ${sample.name}`, webhook })),
  );
}

export function distinctBy<Item>(items: Item[], textOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [textOf(item), item])).values()];
}

/** @param fields if given, only values inside these fields are returned, at any depth. */
export function scalarsIn(value: unknown, fields?: ReadonlySet<string | undefined>): unknown[] {
  if (typeof value !== "object" || value === null) return fields === undefined ? [value] : [];
  return Object.entries(value).flatMap(([key, member]) => scalarsIn(member, fields?.has(key) ? undefined : fields));
}

export function sensitiveValues(bodies: readonly Body[], value: unknown): unknown[] {
  const fields = new Set<string | undefined>();
  for (const { schema } of bodies) {
    walkSchema(schema, (location, { path }) => {
      if (location.child("x-sensitive").value === true) fields.add(path.at(-1));
    });
  }
  const sensitiveScalars = scalarsIn(value, fields.has(undefined) ? undefined : fields);
  return sensitiveScalars.filter((scalar) => scalar !== null && scalar !== "");
}
