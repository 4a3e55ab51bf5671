import { readFileSync } from "node:fs";
import { type Folder, postmanToBruno, type Request } from "@usebruno/converters";
import newman, { type Execution } from "newman";
import postman, { type Conversion } from "openapi-to-postmanv2";
import { describe, expect, it } from "vitest";
import { bundleFile, editions } from "../../../scripts/base/index.ts";
import { type Operation, readContract } from "../../../scripts/contract/model/index.ts";
import { startMock } from "../../../scripts/mock/index.ts";
import { postmanCollection } from "../../../scripts/site/machine/postman.ts";
import { mockAddresses } from "../../../scripts/site/samples/addresses.ts";
import { site } from "../../site/whole-site.ts";

type Mock = Awaited<ReturnType<typeof startMock>>;

/** These requests fail after an import of the OpenAPI document, because the document cannot name the files to upload. */
const uploadNames = ["Add KYC File", "Add POA File"];

describe.each(editions)("edition %s", (edition) => {
  const document = JSON.parse(readFileSync(bundleFile(edition, "json"), "utf8"));
  const { operations } = readContract(document);
  const readyCollection = () => JSON.parse(postmanCollection(site, edition)) as object;

  it("has a collection beside the site whose requests all succeed", async () => {
    const { calls, mock } = await runWith(readyCollection(), ({ url, depositUrl }) => ({
      base_url: url,
      deposit_base_url: depositUrl,
    }));
    expect(calls.map(statusOf).filter(isFailure)).toEqual([]);
    expect(addressesOf(calls)).toEqual(expectedAddresses(operations, mock));
  });

  it("has requests in Postman's import that all succeed, except uploads", async () => {
    const { calls, mock } = await runWith(await importDocument(document), ({ url, depositUrl }) => ({
      base_url: url,
      deposit_base_url: depositUrl,
      apiKey: "any",
    }));
    const failedNames = calls.filter((call) => isFailure(statusOf(call))).map(({ item }) => item.name);
    expect(failedNames).toEqual(uploadNames);
    expect(addressesOf(calls)).toEqual(expectedAddresses(operations, mock));
  });

  it("has a collection from which Bruno gets the address of every operation", async () => {
    const { collection } = await postmanToBruno(readyCollection());
    const { vars } = collection.root.request;
    const variables = Object.fromEntries(vars.req.map(({ name, value }) => [name, value]));
    const requests = requestsOf(collection).map(({ name, request: { url } }) => {
      return [name, new URL(url.replace(/\{\{(\w+)\}\}/g, (_, key: string) => variables[key] ?? key)).origin];
    });
    const defaults = { url: mockAddresses.base_url, depositUrl: mockAddresses.deposit_base_url };
    expect(requests.sort()).toEqual(expectedAddresses(operations, defaults));
  });
});

/** Uses the settings that the downloads page recommends for Postman. */
async function importDocument(data: object): Promise<object> {
  const options = { parametersResolution: "Example", folderStrategy: "Tags" };
  const { reason, output } = await new Promise<Conversion>((resolve, reject) => {
    postman.convertV2({ type: "json", data }, options, (error, result) => (error ? reject(error) : resolve(result)));
  });
  if (output?.[0] === undefined) throw new Error(reason);
  return output[0].data;
}

async function runWith(collection: object, variablesFor: (mock: Mock) => Record<string, string>) {
  const mock = await startMock({ scenario: true, edition: "test" });
  try {
    const envVar = Object.entries(variablesFor(mock)).map(([key, value]) => ({ key, value }));
    const calls = await new Promise<Execution[]>((resolve, reject) => {
      newman.run({ collection, envVar, timeoutRequest: 5000 }, (error, summary) =>
        error ? reject(error) : resolve(summary.run.executions),
      );
    });
    return { calls, mock };
  } finally {
    await mock.close();
  }
}

function statusOf({ item, response }: Execution): string {
  const { code, stream } = response ?? { code: 0, stream: "no response" };
  return `${code} ${item.name}${code < 300 ? "" : `: ${stream}`}`;
}

function isFailure(status: string): boolean {
  return !/^2\d\d /.test(status);
}

/** Removes the address that published documents append to some summaries. */
function nameOf(summary: string): string {
  return summary.replace(/ \(at .*\)$/, "");
}

function addressesOf(calls: Execution[]): string[][] {
  return calls.map(({ item, request }) => [nameOf(item.name), new URL(request.url.toString()).origin]).sort();
}

function expectedAddresses(operations: Operation[], { url, depositUrl }: Pick<Mock, "url" | "depositUrl">): string[][] {
  return operations.map(({ summary, address }) => [nameOf(summary), address === "base_url" ? url : depositUrl]).sort();
}

function requestsOf({ items = [] }: Folder): Request[] {
  return items.flatMap((item) => ("request" in item ? [item] : requestsOf(item)));
}
