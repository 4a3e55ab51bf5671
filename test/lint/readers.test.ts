/** `readers` in openapi/extensions.yaml: a listed reader reads the key, and what reads a key is listed. */
import { readdirSync, readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import ts from "typescript";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/index.ts";

/**
 * The files of each reader. `lint` is a rule about this very key: that it is known, stands in its place and has its form
 * is checked for every key. The runtime of the client reads what `scripts/client` has generated, not the contract.
 */
const folders: Record<string, (path: string) => boolean> = {
  lint: (path) => path.startsWith("scripts/lint/"),
  bundle: (path) => path.startsWith("scripts/bundle/"),
  docs: (path) => path.startsWith("scripts/docs/"),
  types: (path) => /^scripts\/client\/(types|descriptions)\.ts$/.test(path),
  client: (path) => /^scripts\/client\/(?!types\.ts$|descriptions\.ts$|runtime\/)/.test(path),
  mock: (path) => /^scripts\/(mock|plan)\//.test(path),
};

/** Fields of the model (scripts/contract/model.ts) that hold the value of a key. */
const fields: Record<string, string> = {
  provenance: "x-provenance",
  openQuestions: "x-open-questions",
  errorCodes: "x-error",
  actor: "x-advice",
  retry: "x-advice",
  resolution: "x-advice",
  resolvedBy: "x-advice",
  onCall: "x-advice",
  requires: "x-requires",
  effects: "x-effects",
  triggers: "x-triggers",
  event: "x-event",
  sideEffects: "x-effects",
  dedupeKey: "x-dedupe-key",
  dedupeProvenance: "x-dedupe-key",
};

const extensions = parseYaml(readFileSync(`${projectRoot}/openapi/extensions.yaml`, "utf8")) as Record<
  string,
  { readers: string[] }
>;
const readersOf = readReaders();

it.each(Object.entries(extensions))("the readers of %s are exactly those that are listed", (key, { readers }) => {
  const found = Object.keys(folders).filter((reader) => readersOf.get(key)?.has(reader));
  expect(found).toEqual(readers);
});

/** By key: who reads it. */
function readReaders(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>(Object.keys(extensions).map((key) => [key, new Set()]));
  const paths = readdirSync(`${projectRoot}/scripts`, { recursive: true, encoding: "utf8" });
  for (const path of paths.filter((name) => /\.tsx?$/.test(name)).map((name) => `scripts/${name}`)) {
    const readers = Object.keys(folders).filter((reader) => folders[reader]?.(path));
    if (readers.length === 0) continue;
    for (const key of keysReadIn(path)) for (const reader of readers) found.get(key)?.add(reader);
  }
  return found;
}

/** The keys that a file reads, by their name or by the field of the model that holds their value. */
function keysReadIn(path: string): Set<string> {
  const keys = new Set<string>();
  const file = ts.createSourceFile(path, readFileSync(`${projectRoot}/${path}`, "utf8"), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && !isWritten(node) && !ts.isPropertySignature(node.parent)) keys.add(node.text);
    const field = fieldReadBy(node);
    if (field !== undefined) keys.add(fields[field] ?? "");
    if (field === "path" && isOfWebhook(node)) keys.add("x-webhook-path");
    ts.forEachChild(node, visit);
  };
  visit(file);
  return keys;
}

/** Whether `object["key"]` is only assigned to or deleted. */
function isWritten({ parent }: ts.StringLiteral): boolean {
  const whole = parent.parent;
  return (
    ts.isElementAccessExpression(parent) &&
    (ts.isDeleteExpression(whole) ||
      (ts.isBinaryExpression(whole) && whole.left === parent && whole.operatorToken.kind === ts.SyntaxKind.EqualsToken))
  );
}

/** The field that `object.field` or `{ field }` reads. */
function fieldReadBy(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isBindingElement(node) ? (node.propertyName ?? node.name).getText() : undefined;
}

/** Whether a field is that of a webhook, as far as the names of variables and types tell. */
function isOfWebhook(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return /webhook$/i.test(node.expression.getText());
  const holder = ts.findAncestor(
    node,
    (above) => ts.isParameter(above) || ts.isForOfStatement(above) || ts.isVariableDeclaration(above),
  );
  if (holder === undefined) return false;
  if (ts.isVariableDeclaration(holder)) return /\bwebhook$/i.test(holder.initializer?.getText() ?? "");
  if (ts.isForOfStatement(holder)) return /webhooks\b/.test(holder.expression.getText());
  if (!ts.isParameter(holder)) return false;
  const call = holder.parent.parent;
  const isCallback = ts.isCallExpression(call) && /webhooks\b/.test(call.expression.getText());
  return isCallback || /\bWebhook\b/.test(holder.type?.getText() ?? "");
}
