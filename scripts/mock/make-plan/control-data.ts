import { readFileSync } from "node:fs";
import { buildSync } from "esbuild";
import { omit, projectRoot } from "../../base/index.ts";
import { type ControlBody, readMockControl, Sources } from "../../contract/sources/index.ts";
import type { FormDescription } from "../page/frame.ts";
import type { PlanData } from "../plan/attach.ts";
import type { PlanControl, PlanPage, PlanQueryParameter } from "../plan/plan.ts";
import { bodyFields, type FieldSchema, fieldOf } from "./control-fields.ts";
import type { Validators } from "./validators.ts";

export function controlData(validators: Validators): Pick<PlanData, "control" | "pages"> {
  const sources = new Sources();
  const control = readMockControl(sources).operations.map(({ parameters, body, ...operation }) => {
    const bodySchema = body?.schema as FieldSchema | undefined;
    const parameterFields = parameters.map((parameter) =>
      fieldOf(parameter.name, parameter.in, parameter.schema, {
        ...parameter,
        isRequired: parameter.required === true,
      }),
    );
    const queryParameters = parameters.filter((parameter) => parameter.in === "query");
    return {
      ...operation,
      description: [operation.description, bodySchema?.description ?? ""].join("\n").trim(),
      method: operation.method.toUpperCase(),
      query: Object.fromEntries(
        queryParameters.map(({ name, schema }) => {
          const { type, minimum } = schema as PlanQueryParameter;
          return [name, { type, minimum }];
        }),
      ),
      fields: [...parameterFields, ...(bodySchema === undefined ? [] : bodyFields(bodySchema))],
      examples: body === undefined ? [] : examplesOf(body),
      body: body && {
        isRequired: body.isRequired,
        schema: body.schema,
        validator: validators.controlBody(body.schema),
      },
    };
  });
  const pages = {
    ...pageFiles(),
    "/__mock/forms.json": { mediaType: "application/json", text: JSON.stringify(control.map(formDescription)) },
    "/__mock/openapi.yaml": readPage("application/yaml", sources.layout.mockControl),
  };
  return { control, pages };
}

function formDescription(operation: PlanData["control"][number]): FormDescription {
  const takesDocument = operation.method !== "GET" && operation.commands.some((command) => command.includes("<"));
  return { ...omit(operation, "query", "isPublic", "commands", "body"), takesDocument };
}

function examplesOf({ example, examples }: ControlBody): PlanControl["examples"] {
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
