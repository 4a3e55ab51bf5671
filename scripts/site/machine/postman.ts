/** Makes a collection for Postman, Bruno and Insomnia, with the first sample of each operation. */
import type { Edition } from "../../base/index.ts";
import { editionsOf, type Operation } from "../../contract/model/index.ts";
import type { SiteContent } from "../content/site.ts";
import { mockAddresses, sampleKey } from "../samples/addresses.ts";
import type { SampleFile } from "../samples/page-call.ts";
import { requestExamples, requestOf } from "../samples/request.ts";

/** Fixed, so that every build produces the same file. */
const boundary = "partner-wallet-api-sample";

/** The collection in Postman's format 2.1 (schema.getpostman.com). In a new mock with the edition and the scenario, all requests succeed. */
export function postmanCollection({ areas, contract, sampleValues }: SiteContent, edition: Edition): string {
  const { title, version } = contract.document.info;
  const itemOf = (operation: Operation) => {
    const [{ body, example } = {}] = requestExamples(operation);
    const { path, query, json, files } = requestOf(operation, sampleValues, body, example);
    const content = contentOf(json, files);
    return {
      name: operation.summary,
      request: {
        method: operation.method.toUpperCase(),
        description: operation.description,
        header: content === undefined ? [] : [{ key: "Content-Type", value: content.type }],
        url: urlOf(operation, path, query),
        ...(content === undefined ? {} : { body: { mode: "raw", raw: content.text, ...content.options } }),
      },
    };
  };
  const folders = areas.map(({ name, operations }) => ({
    name,
    item: operations.filter(({ effectiveProvenance }) => editionsOf(effectiveProvenance).includes(edition)).map(itemOf),
  }));
  const variables = { ...mockAddresses, api_key: sampleKey };
  const collection = {
    info: {
      name: `${title} (${edition})`,
      version,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: {
      type: "apikey",
      apikey: Object.entries({ key: "x-api-key", value: "{{api_key}}", in: "header" }).map(([key, value]) => ({
        key,
        value,
        type: "string",
      })),
    },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: folders.filter(({ item }) => item.length > 0),
  };
  return `${JSON.stringify(collection, null, 1)}\n`;
}

function urlOf({ address, path }: Operation, values: Record<string, string>, query: Record<string, unknown>) {
  const host = `{{${address}}}`;
  const parts = path
    .slice(1)
    .split("/")
    .map((part) => part.replace(/^\{(\w+)\}$/, ":$1"));
  const parameters = Object.entries(query).map(([key, value]) => ({ key, value: String(value) }));
  const search = parameters.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join("&");
  return {
    raw: `${host}/${parts.join("/")}${search === "" ? "" : `?${search}`}`,
    host: [host],
    path: parts,
    query: parameters,
    variable: Object.entries(values).map(([key, value]) => ({ key, value })),
  };
}

/** Multipart bodies are raw text with placeholder contents, since a collection cannot contain files. */
function contentOf(json: unknown, files: SampleFile[] | undefined) {
  if (json !== undefined) {
    const text = JSON.stringify(json, null, 2);
    return { type: "application/json", text, options: { options: { raw: { language: "json" } } } };
  }
  if (files === undefined) return undefined;
  const parts = files.map(({ part, name, type, content }) =>
    [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${part}"; filename="${name}"`,
      `Content-Type: ${type}`,
      "",
      content,
    ].join("\r\n"),
  );
  const text = [...parts, `--${boundary}--`, ""].join("\r\n");
  return { type: `multipart/form-data; boundary=${boundary}`, text };
}
