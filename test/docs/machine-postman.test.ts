/** The Postman collections: complete, the same each time, and understood by the mock. */
import type { PostmanCollection, PostmanFolder, PostmanItem } from "openapi-to-postmanv2";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Edition,
  editions,
  type OpenApiDocument,
  readContract,
  UsageError,
} from "../../scripts/contract/index.ts";
import { renderPostman } from "../../scripts/docs/index.ts";
import { collectionOf } from "../../scripts/docs/machine/postman.ts";
import { mockAddresses } from "../../scripts/docs/samples/constants.ts";
import { startMock } from "../../scripts/mock/entry.ts";
import { bundles } from "./site-bundles.ts";
import { smallDocument } from "./small-document.ts";

let files: Record<string, string>;

beforeAll(async () => {
  files = await renderPostman(bundles);
});

const read = (edition: Edition) => JSON.parse(files[`${edition}/postman.json`] ?? "") as PostmanCollection;
const foldersOf = (collection: PostmanCollection) => collection.item as (PostmanFolder & { item: PostmanItem[] })[];

/** The URL of a request, with the variables of the collection filled in. */
function urlOf({ request: { url } }: PostmanItem, variables: Record<string, string>): string {
  const values = new Map(url.variable.map(({ key, value }) => [key, value]));
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables[name] ?? `{{${name}}}`);
  const path = url.path.map((part) =>
    encodeURIComponent(part.startsWith(":") ? (values.get(part.slice(1)) ?? part) : part),
  );
  const query = new URLSearchParams(url.query.map(({ key, value }) => [key, value]));
  return `${fill(url.host.join("."))}/${path.join("/")}${query.size === 0 ? "" : `?${query}`}`;
}

describe.each(editions)("the collection of %s", (edition) => {
  const { operations, document } = readContract(bundles[edition].document);
  const variablesOf = (collection: PostmanCollection) =>
    Object.fromEntries(collection.variable.map(({ key, value }) => [key, value]));

  test("has a folder for each area, and in it a request for each named example of its operations", () => {
    const folders = foldersOf(read(edition));
    expect(folders.map(({ name }) => name)).toEqual((document.tags ?? []).map(({ name }) => name));
    const expected = operations.map(({ tag, summary, requestBody }) => {
      const [body] = requestBody?.bodies ?? [];
      return [tag, summary, body?.mediaType === "application/json" ? body.examples.length : 1];
    });
    const isOf =
      (summary: string) =>
      ({ name }: PostmanItem) =>
        name === summary || name.startsWith(`${summary}: `);
    const found = operations.map(({ tag, summary }) => {
      const items = folders.find(({ name }) => name === tag)?.item ?? [];
      return [tag, summary, items.filter(isOf(summary)).length];
    });
    expect(found).toEqual(expected);
  });

  test("calls the addresses of the mock by the paths of the contract", () => {
    const collection = read(edition);
    expect(variablesOf(collection)).toMatchObject(mockAddresses);
    const paths = operations.map(({ address, method, path }) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${mockAddresses[address]}${path.replace(/\{\w+\}/g, "[^/:{]+")}(?:\\?|$)`),
    }));
    for (const { item } of foldersOf(collection)) {
      for (const entry of item) {
        const url = urlOf(entry, variablesOf(collection));
        const matching = paths.filter(({ method, pattern }) => method === entry.request.method && pattern.test(url));
        expect(matching, `${entry.name}: ${entry.request.method} ${url}`).not.toEqual([]);
      }
    }
  });

  test("is the same each time", async () => {
    expect(await collectionOf(bundles[edition].document)).toEqual(read(edition));
  });
});

describe("the requests of the collection", () => {
  let mock: Awaited<ReturnType<typeof startMock>>;

  beforeAll(async () => {
    mock = await startMock({ edition: "test", port: 0, depositPort: 0, scenario: true });
  });

  afterAll(async () => {
    await mock?.close();
  });

  test("are those of the contract for the mock: each is answered as documented, by its operation", async () => {
    const { operations } = readContract(bundles.test.document);
    const variables = { base_url: mock.url, deposit_base_url: mock.depositUrl };
    const unexpected: string[] = [];
    for (const { item, name: folder } of foldersOf(read("test"))) {
      for (const entry of item) {
        const { method, header, body } = entry.request;
        if (body !== undefined && body.mode !== "raw") continue;
        const operation = operations.find(
          ({ summary }) => entry.name === summary || entry.name.startsWith(`${summary}: `),
        );
        const headers = Object.fromEntries(
          header.filter(({ disabled }) => disabled !== true).map(({ key, value }) => [key, value]),
        );
        const answer = await fetch(urlOf(entry, variables), {
          method,
          headers: { ...headers, "x-api-key": `key-of-${folder}` },
          body: body?.raw ?? null,
          redirect: "manual",
        });
        const text = await answer.text();
        const isDocumented = operation?.answers.some(({ status }) => status === answer.status) === true;
        // The story of the scenario has used the locks of its examples.
        const isMalformed = text.includes('"P403"') && !/the lock [-0-9a-f]+ was used/.test(text);
        if (!isDocumented || isMalformed) unexpected.push(`${entry.name}: ${answer.status} ${text.slice(0, 120)}`);
      }
    }
    expect(unexpected).toEqual([]);
  });
});

test("a contract that cannot be converted is a UsageError that names it", async () => {
  const broken = { ...smallDocument(), paths: undefined } as unknown as OpenApiDocument;
  await expect(collectionOf(broken)).rejects.toThrow(UsageError);
});
