/** Compares this client with those that hey-api and kubb generate. */

import { bundleFile } from "../../../scripts/base/index.ts";
import { bundleContract } from "../../../scripts/contract/bundle/index.ts";
import { readContract } from "../../../scripts/contract/model/index.ts";
import { Sources } from "../../../scripts/contract/sources/index.ts";
import { apiKey, baseUrl, type Client, functionOf, headers, measureCalls } from "../../../scripts/tools/bench/calls.ts";
import { linkPackages } from "../../../scripts/tools/bench/programs.ts";
import { makeSamples } from "../../../scripts/tools/bench/samples.ts";
import { measureSizes, type OtherClient } from "../../../scripts/tools/bench/sizes.ts";
import { withTemporaryFolder } from "../../../scripts/tools/processes/index.ts";
import { generateWithHeyApi, generateWithKubb } from "../generators.ts";

const heyApiClient = `export { createClient, createConfig } from "./hey-api/client/index.ts";`;
const kubbConfig = `export { setConfig } from "./kubb/.kubb/fetch.ts";`;

const sizedClients: OtherClient[] = [
  {
    name: "hey-api",
    exportNames: (names) => `export { ${names} } from "./hey-api/index.ts"; ${heyApiClient}`,
    exportAll: `export * from "./hey-api/index.ts"; ${heyApiClient}`,
  },
  {
    name: "kubb",
    exportNames: (names) => `export { ${names} } from "./kubb/index.ts"; ${kubbConfig}`,
    exportAll: `export * from "./kubb/index.ts"; ${kubbConfig}`,
  },
];

const calledClients: Record<string, Client> = {
  "hey-api": {
    program: sizedClients[0]?.exportAll ?? "",
    prepare(imported, { operation, options: callOptions }) {
      const config = functionOf(imported, "createConfig")({ baseUrl, auth: apiKey });
      const client = functionOf(imported, "createClient")(config);
      const call = functionOf(imported, operation.operationId);
      return () => call({ client, ...callOptions });
    },
  },
  kubb: {
    program: sizedClients[1]?.exportAll ?? "",
    prepare(imported, { operation, options: { path = {}, body } }) {
      functionOf(imported, "setConfig")({ baseURL: baseUrl, headers });
      const call = functionOf(imported, operation.operationId);
      const values = [...Object.values(path), ...(body === undefined ? [] : [body])];
      return () => call(...values);
    },
  },
};

/** @param effort fraction of the full number of rounds. */
export async function compareClients(effort: number): Promise<void> {
  const contract = readContract((await bundleContract("latest", new Sources())).document);
  const samples = makeSamples(contract);
  await withTemporaryFolder("bench-", async (folder) => {
    linkPackages(folder);
    const input = bundleFile("latest", "json");
    await generateWithHeyApi(input, `${folder}/hey-api`);
    await generateWithKubb(input, `${folder}/kubb`);
    console.log((await measureSizes(folder, contract, samples, sizedClients)).report);
    console.log(`\n${await measureCalls(folder, samples, effort, calledClients)}`);
  });
}
