import { readFileSync } from "node:fs";
import { buildSync } from "esbuild";
import { omit, projectRoot } from "../../base/index.ts";
import { Sources } from "../../contract/sources/index.ts";
import type { FormDescription } from "../page/frame.ts";
import type { PlanData } from "../plan/attach.ts";
import type { PlanControl, PlanPage, PlanQueryParameter } from "../plan/plan.ts";
import { bodyFields, type FieldSchema, fieldOf } from "./control-fields.ts";
import type { Validators } from "./validators.ts";

interface Parameter {
  name: string;
  in: "path" | "query";
  required?: boolean;
  description: string;
  example?: unknown;
  schema: FieldSchema & PlanQueryParameter;
}

interface Examples {
  example?: Record<string, unknown>;
  examples?: Record<string, { summary?: string; value: Record<string, unknown> }>;
}

interface ControlOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: [string];
  "x-command"?: string | string[];
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: { "application/json": { schema: object } & Examples } };
}

export function controlData(validators: Validators): Pick<PlanData, "control" | "pages"> {
  const sources = new Sources();
  const file = sources.layout.mockControl;
  const document = sources.document(file).parsed as Record<string, unknown>;
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, ControlOperation>>>>;
  const control = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const { operationId, summary, description = "", tags, security, requestBody, parameters } = operation;
      const schema = resolveReferences(requestBody?.content["application/json"].schema, document) as FieldSchema;
      const resolvedParameters = resolveReferences(parameters ?? [], document) as Parameter[];
      const parameterFields = resolvedParameters.map((parameter) =>
        fieldOf(parameter.name, parameter.in, parameter.schema, {
          ...parameter,
          isRequired: parameter.required === true,
        }),
      );
      const queryParameters = resolvedParameters.filter((parameter) => parameter.in === "query");
      return {
        operationId,
        summary,
        description: [description, schema?.description ?? ""].join("\n").trim(),
        tag: tags[0],
        path,
        method: method.toUpperCase(),
        isPublic: security?.length === 0,
        query: Object.fromEntries(
          queryParameters.map(({ name, schema: { type, minimum } }) => [name, { type, minimum }]),
        ),
        commands: [operation["x-command"] ?? []].flat(),
        fields: [...parameterFields, ...(requestBody === undefined ? [] : bodyFields(schema))],
        examples: examplesOf(requestBody?.content["application/json"]),
        body: requestBody && {
          isRequired: requestBody.required === true,
          schema,
          validator: validators.controlBody(schema),
        },
      };
    }),
  );
  const pages = {
    ...pageFiles(),
    "/__mock/forms.json": { mediaType: "application/json", text: JSON.stringify(control.map(formDescription)) },
    "/__mock/openapi.yaml": readPage("application/yaml", file),
  };
  return { control, pages };
}

function formDescription(operation: PlanData["control"][number]): FormDescription {
  const takesDocument = operation.method !== "GET" && operation.commands.some((command) => command.includes("<"));
  return { ...omit(operation, "query", "isPublic", "commands", "body"), takesDocument };
}

function examplesOf({ example, examples = {} }: Examples = {}): PlanControl["examples"] {
  if (example !== undefined) return [{ summary: "", value: example }];
  return Object.values(examples).map(({ summary = "", value }) => ({ summary, value }));
}

function pageFiles(): Record<string, PlanPage> {
  const folder = `${projectRoot}/scripts/mock/page`;
  const siteAssets = `${projectRoot}/scripts/site/assets`;
  return {
    "/__mock/": readPage("text/html; charset=utf-8", `${folder}/page.html`),
    "/__mock/icon.svg": readPage("image/svg+xml", `${siteAssets}/favicon.svg`),
    "/__mock/page.css": readPage(
      "text/css; charset=utf-8",
      `${siteAssets}/tokens.css`,
      `${siteAssets}/base.css`,
      `${folder}/page.css`,
    ),
    "/__mock/page.js": { mediaType: "text/javascript; charset=utf-8", text: pageScript() },
  };
}

let cachedScript: string | undefined;

function pageScript(): string {
  cachedScript ??= buildSync({
    absWorkingDir: `${projectRoot}/scripts/mock/page`,
    entryPoints: ["page.ts"],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    minifySyntax: true,
  }).outputFiles[0]?.text;
  return cachedScript ?? "";
}

function readPage(mediaType: string, ...files: string[]): PlanPage {
  return { mediaType, text: files.map((file) => readFileSync(file, "utf8")).join("\n") };
}

/** The recursion ends, because the document has no circular references. */
function resolveReferences(value: unknown, document: object): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, document));
  const { $ref } = value as { $ref?: string };
  if ($ref === undefined) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolveReferences(part, document)]));
  }
  const names = $ref.slice(2).split("/");
  const target = names.reduce((node: unknown, name) => (node as Record<string, unknown>)[name], document);
  return resolveReferences(target, document);
}
