/** The samples of the site: texts made from the named examples of the contract. */

export { mockAddresses, mockCommandLine, sampleKey } from "./addresses.ts";
export { codeSample, operationSamples, type Sample } from "./operation-samples.ts";
export { type WebhookSample, webhookSamples } from "./webhook-samples.ts";
