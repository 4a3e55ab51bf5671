/** Pairs what the contract knows of operations and webhooks with the objects of a document. */
import type { Answer, Contract } from "../contract/contract.ts";
import type { OpenApiDocument, OperationObject, PathItemObject } from "../contract/document.ts";
import type { Links } from "./links.ts";

/** An operation or a webhook. */
export interface Subject {
  /** operationId, or the key of the webhook. */
  name: string;
  isWebhook: boolean;
  item: PathItemObject;
  operation: OperationObject;
  answers: Answer[];
}

/**
 * Operations, then webhooks.
 *
 * @param document where the objects are taken from: the contract's own document, or a copy of it.
 */
export function subjectsOf({ operations, webhooks }: Contract, document: OpenApiDocument): Subject[] {
  const ofPaths = operations.map(({ operationId, path, method, answers }) => {
    const item = document.paths[path] as PathItemObject;
    return { name: operationId, isWebhook: false, item, operation: item[method] as OperationObject, answers };
  });
  const ofWebhooks = webhooks.map(({ name, answers }) => {
    const item = document.webhooks?.[name] as PathItemObject;
    return { name, isWebhook: true, item, operation: item.post as OperationObject, answers };
  });
  return [...ofPaths, ...ofWebhooks];
}

/** The link to the subject. */
export function linkTo({ isWebhook, name }: Subject, links: Links): string {
  return isWebhook ? links.webhook(name) : links.operation(name);
}
