import { found } from "../../base/index.ts";
import type { Body, Contract, DocumentedResponse, ErrorCode, Operation, Webhook } from "../../contract/model/index.ts";

export function bodiesOf({ requestBody }: Pick<Operation | Webhook, "requestBody">): Body[] {
  return requestBody?.bodies ?? [];
}

export function successesOf({ responses }: Pick<Operation, "responses">): DocumentedResponse[] {
  return responses.filter(({ key }) => key.startsWith("2"));
}

export function failuresOf({ responses }: Pick<Operation, "responses">): DocumentedResponse[] {
  return responses.filter(({ status }) => status >= 400);
}

export function errorOf(code: string, { errorCodes }: Contract): ErrorCode {
  return found(
    errorCodes.find((error) => error.code === code),
    `P-code ${code}`,
  );
}

export function operationOf(id: string, { operations }: { operations: readonly Operation[] }): Operation {
  return found(
    operations.find(({ operationId }) => operationId === id),
    `operation ${id}`,
  );
}

export function webhookOf(webhookName: string, { webhooks }: Contract): Webhook {
  return found(
    webhooks.find(({ name }) => name === webhookName),
    `webhook ${webhookName}`,
  );
}
