/** All rules of this project. */
import type { Rule } from "../rule.ts";
import { answerStatus } from "./answer-status.ts";
import { apiKey } from "./api-key.ts";
import { codeAdvice } from "./code-advice.ts";
import { codeExamples } from "./code-examples.ts";
import { codeFile } from "./code-file.ts";
import { codeMapping } from "./code-mapping.ts";
import { codeStatus } from "./code-status.ts";
import { codeUsed } from "./code-used.ts";
import { codedAnswer } from "./coded-answer.ts";
import { dedupeKey } from "./dedupe-key.ts";
import { effects } from "./effects.ts";
import { events } from "./events.ts";
import { examplesDistinct } from "./examples-distinct.ts";
import { examplesPresent } from "./examples-present.ts";
import { examplesValid } from "./examples-valid.ts";
import { extensionKnown } from "./extension-known.ts";
import { extensionPlace } from "./extension-place.ts";
import { extensionValue } from "./extension-value.ts";
import { fileReached } from "./file-reached.ts";
import { infoVersion } from "./info-version.ts";
import { invalidRequest } from "./invalid-request.ts";
import { links } from "./links.ts";
import { mockPathRule } from "./mock-path.ts";
import { namedOperations } from "./named-operations.ts";
import { openAnswers } from "./open-answers.ts";
import { openSets } from "./open-sets.ts";
import { operationName } from "./operation-name.ts";
import { provenance } from "./provenance.ts";
import { questionResolves } from "./question-resolves.ts";
import { questionUsed } from "./question-used.ts";
import { referenceAlone } from "./reference-alone.ts";
import { registerForm } from "./register-form.ts";
import { requiresCodes } from "./requires-codes.ts";
import { resources } from "./resources.ts";
import { rootForm } from "./root-form.ts";
import { schemaSound } from "./schema-sound.ts";
import { schemaTyped } from "./schema-typed.ts";
import { triggers } from "./triggers.ts";
import { unauthorizedAnswer } from "./unauthorized-answer.ts";
import { webhookDelivery } from "./webhook-delivery.ts";
import { webhookForm } from "./webhook-form.ts";
import { webhookPath } from "./webhook-path.ts";

/** In alphabetical order. */
export const rules: readonly Rule[] = [
  answerStatus,
  apiKey,
  codeAdvice,
  codeExamples,
  codeFile,
  codeMapping,
  codeStatus,
  codeUsed,
  codedAnswer,
  dedupeKey,
  effects,
  events,
  examplesDistinct,
  examplesPresent,
  examplesValid,
  extensionKnown,
  extensionPlace,
  extensionValue,
  fileReached,
  infoVersion,
  invalidRequest,
  links,
  mockPathRule,
  namedOperations,
  openAnswers,
  openSets,
  operationName,
  provenance,
  questionResolves,
  questionUsed,
  referenceAlone,
  registerForm,
  requiresCodes,
  resources,
  rootForm,
  schemaSound,
  schemaTyped,
  triggers,
  unauthorizedAnswer,
  webhookDelivery,
  webhookForm,
  webhookPath,
];
