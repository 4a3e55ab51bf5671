/** The document of the control interface, for tests that compare it with what is answered. */
import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { projectRoot } from "../../../scripts/contract/index.ts";

interface Media {
  schema: object;
  example?: unknown;
}
interface Part {
  $ref?: string;
  content?: { "application/json": Media };
}
export interface Described {
  operationId: string;
  security?: unknown[];
  requestBody?: Part;
  responses: Record<string, Part>;
}
export interface ControlDocument {
  paths: Record<string, Record<string, Described>>;
  components: { responses: Record<string, Part> };
}

export const document: ControlDocument = parseYaml(
  readFileSync(`${projectRoot}/openapi/mock-control.yaml`, "utf8"),
) as ControlDocument;

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as { default: (ajv: unknown) => void }).default(ajv);
ajv.addSchema(document, "control");

/** Every operation with its method, in upper case, and its path. */
export function describedOperations(): { method: string; path: string; operation: Described }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** What is wrong with a JSON value at a schema of the document. */
function problemsOf(value: unknown, pointer: string): string[] {
  const escaped = pointer.split("/").map(encodeURIComponent).join("/");
  const validate = ajv.compile({ $ref: `control#/${escaped}` });
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

/** JSON Pointer of the content of a request or response, below the root. */
function pointerOf(part: Part, pointer: string): string {
  const at = part.$ref === undefined ? pointer : part.$ref.slice(2);
  return `${at}/content/application~1json/schema`;
}

/** What is wrong with an answer, compared with the document. */
export function problemsOfAnswer(method: string, path: string, status: number, body: unknown): string[] {
  const operation = findOperation(method, path);
  const part = operation?.responses[status];
  if (part === undefined) return [`${method} ${path} does not describe ${status}`];
  const resolved = part.$ref === undefined ? part : document.components.responses[part.$ref.split("/").at(-1) ?? ""];
  if (resolved?.content === undefined) return body === undefined ? [] : ["a body that is not described"];
  return problemsOf(body, pointerOf(part, `paths/${segment(path)}/${method.toLowerCase()}/responses/${status}`));
}

/** What is wrong with the body of a request, compared with the document. */
export function problemsOfRequest(method: string, path: string, body: unknown): string[] {
  return problemsOf(
    body,
    `paths/${segment(path)}/${method.toLowerCase()}/requestBody/content/application~1json/schema`,
  );
}

function findOperation(method: string, path: string): Described | undefined {
  return document.paths[path]?.[method.toLowerCase()];
}

function segment(path: string): string {
  return path.replaceAll("~", "~0").replaceAll("/", "~1");
}
