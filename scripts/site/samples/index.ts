export { mockAddresses, mockCommandLine, mockControlPath, sampleKey } from "./addresses.ts";
export { firstCall, firstOperation, firstSample } from "./first-call.ts";
export { codeSample, operationSamples, type Sample } from "./operation-samples.ts";
export type { EditableField } from "./page-call.ts";
export { type WebhookSample, webhookSamples } from "./webhook-samples.ts";
