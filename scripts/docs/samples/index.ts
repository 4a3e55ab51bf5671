/** The samples of the site: texts made from the named examples of the contract. */
export type { SampleLanguage } from "./languages.ts";
export { answerWith, codeSample, operationSamples, preferenceFor, type Sample } from "./operation-samples.ts";
export { type WebhookSample, webhookSamples } from "./webhook-samples.ts";
