/** The Postman collection of an edition, made by openapi-to-postmanv2. */
import { createHash } from "node:crypto";
import type {
  Conversion,
  PostmanCollection,
  PostmanFolder,
  PostmanItem,
  PostmanPair,
  PostmanRequest,
} from "openapi-to-postmanv2";
import {
  type Contract,
  type Edition,
  type Example,
  editions,
  type OpenApiDocument,
  type Operation,
  readContract,
  UsageError,
} from "../../contract/index.ts";
import { preferenceFor, successOf } from "../samples/answers.ts";
import { mockAddresses, sampleKey } from "../samples/constants.ts";
import { pathParameters } from "../samples/linked-parameters.ts";
import { exampleParameters } from "../samples/request.ts";

const options = {
  folderStrategy: "Tags",
  requestNameSource: "Fallback",
  parametersResolution: "Example",
  indentCharacter: "Space",
  includeAuthInfoInExample: false,
};

/**
 * The Postman collections of the editions. Each has a folder for each area, and a request for each named example of an operation;
 * variables hold the addresses of the mock and the key.
 *
 * @returns the collections by their paths below the folder of the site.
 * @throws {UsageError} when a contract cannot be converted.
 */
export async function renderPostman(
  bundles: Record<Edition, { document: OpenApiDocument }>,
): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const edition of editions) {
    files[`${edition}/postman.json`] = `${JSON.stringify(await collectionOf(bundles[edition].document), null, 2)}\n`;
  }
  return files;
}

/**
 * The collection of a contract.
 *
 * @throws {UsageError} when the contract cannot be converted.
 */
export async function collectionOf(document: OpenApiDocument): Promise<PostmanCollection> {
  const collection = await convert(document);
  const contract = readContract(document);
  const operations = new Map(contract.operations.map((operation) => [keyOf(operation), operation]));
  collection.item = (collection.item as PostmanFolder[]).map((folder) => ({
    ...folder,
    item: (folder.item as PostmanItem[]).flatMap((item) => {
      const { method, url } = item.request;
      const path = `/${url.path.map((part) => part.replace(/^:(.+)$/, "{$1}")).join("/")}`;
      const operation = operations.get(keyOf({ method, path }));
      if (operation === undefined)
        throw new Error(`The Postman collection has ${method} ${path}, the contract has not.`);
      return requestsOf(item, operation, contract);
    }),
  }));
  collection.auth = {
    type: "apikey",
    apikey: Object.entries({ key: "x-api-key", value: "{{api_key}}", in: "header" }).map(([key, value]) => ({
      key,
      value,
    })),
  };
  collection.variable = Object.entries({ ...mockAddresses, api_key: sampleKey }).map(([key, value]) => ({
    key,
    value,
  }));
  return withStableIds(collection, document.info.title) as PostmanCollection;
}

async function convert(document: OpenApiDocument): Promise<PostmanCollection> {
  // Loading it takes as long as all pages of an area.
  const { default: converter } = await import("openapi-to-postmanv2");
  const { reason, output } = await new Promise<Conversion>((resolve) => {
    const data = structuredClone(document);
    converter.convertV2({ type: "json", data }, options, (error, converted) =>
      resolve(error ? { result: false, reason: error.message } : converted),
    );
  });
  const collection = output?.[0]?.data;
  if (collection === undefined) {
    throw new UsageError(`The Postman collection of ${document.info.title} cannot be made: ${reason}`);
  }
  return collection;
}

function keyOf({ method, path }: { method: string; path: string }): string {
  return `${method.toLowerCase()} ${path}`;
}

/** The request of the operation for each of its named examples; the first one has the plain name. */
function requestsOf(item: PostmanItem, operation: Operation, contract: Contract): PostmanItem[] {
  const own = addressed(item, operation, contract);
  const [first, ...others] = operation.requestBody?.bodies[0]?.examples ?? [];
  if (first === undefined || own.request.body?.mode !== "raw") return [withRequest(own, own.name, operation)];
  return [
    withRequest(own, own.name, operation, first),
    // The answers are those of the first one.
    ...others.map((example) => ({
      ...withRequest(own, `${own.name}: ${example.summary ?? example.name}`, operation, example),
      response: [],
    })),
  ];
}

/** The request with a name and the body of an example. */
function withRequest(item: PostmanItem, name: string, operation: Operation, example?: Example): PostmanItem {
  const { request } = item;
  const body = example && { body: { ...request.body, mode: "raw", raw: JSON.stringify(example.value, null, 2) } };
  const success = successOf(operation, example?.name);
  const prefer = success === undefined ? [] : [preferHeader(preferenceFor(success))];
  return { ...item, name, request: { ...request, ...body, name, header: [...request.header, ...prefer] } };
}

/** Switched off, since the service does not know it: with it, the mock answers the example and changes nothing. */
function preferHeader(value: string): PostmanPair {
  return { key: "Prefer", value, disabled: true, description: "For the mock: answers this example, changes nothing." };
}

/** The request with its address and with parameters that fit together. */
function addressed(item: PostmanItem, operation: Operation, contract: Contract): PostmanItem {
  const path = pathParameters(operation, contract);
  const query = exampleParameters(operation, "query");
  const withAddress = (request: PostmanRequest): PostmanRequest => ({
    ...request,
    // The boundary of the parts is part of this header, so that Postman has to write it.
    header: request.header.filter(({ key, value }) => key !== "Content-Type" || !value.startsWith("multipart/")),
    url: {
      ...request.url,
      host: [`{{${operation.address}}}`],
      variable: request.url.variable.map((entry) => ({ ...entry, value: path[entry.key] ?? entry.value })),
      query: request.url.query.map((entry) => ({ ...entry, value: String(query[entry.key] ?? entry.value) })),
    },
  });
  return {
    ...item,
    request: withAddress(item.request),
    response: item.response.map((answer) => ({ ...answer, originalRequest: withAddress(answer.originalRequest) })),
  };
}

/** A copy in which the identifiers, which the converter draws by chance, follow from the place. */
function withStableIds(node: unknown, place: string): unknown {
  if (Array.isArray(node)) return node.map((entry, index) => withStableIds(entry, `${place}/${index}`));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key === "id" || key === "_postman_id") return [key, uuidOf(place)];
      return [key, withStableIds(value, `${place}/${key}`)];
    }),
  );
}

/** An identifier in the form of a UUID (version 8, whose bits are free). */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
