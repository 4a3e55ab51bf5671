// Loads both copies of the package, as an ES module program with a CommonJS dependency does.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const name = "partner-wallet-api";
const { exports } = require(`${name}/package.json`);

const entries = Object.keys(exports).filter((subpath) => typeof exports[subpath] === "object");
assert.ok(entries.length >= 4, `There are ${entries.length} entry points.`);
for (const subpath of entries) {
  const specifier = `${name}${subpath.slice(1)}`;
  const [imported, required] = [await import(specifier), require(specifier)];
  const names = Object.keys(imported).sort();
  assert.ok(names.length > 0, specifier);
  assert.deepEqual(Object.keys(required).sort(), names, specifier);
  for (const name of names) assert.equal(typeof required[name], typeof imported[name], `${specifier}: ${name}`);
  // Node determines the export names of an imported CommonJS module without running it.
  const found = Object.keys(await import(require.resolve(specifier)));
  assert.deepEqual(
    names.filter((name) => !found.includes(name)),
    [],
    specifier,
  );
}

const clients = { imported: await import(name), required: require(name) };
const addresses = { baseUrl: "https://api.example", depositBaseUrl: "https://deposits.example" };
const path = { externalUserId: "user-1042" };

const fetch = async () => Response.json({ errorCode: "P461" }, { status: 400 });
for (const [maker, { createPartnerClient }] of Object.entries(clients)) {
  const wallet = createPartnerClient({ ...addresses, apiKey: "key", fetch });
  const { error } = await wallet.listUserCards({ path });
  for (const [user, { PartnerApiError }] of Object.entries(clients)) {
    assert.ok(error instanceof PartnerApiError, `An error of the client "${maker}" is none of "${user}".`);
    assert.ok(!(new Error("another") instanceof PartnerApiError));
    assert.ok(!(undefined instanceof PartnerApiError));
  }
}

const response = async () => Response.json({ fiatBalances: [{ rate: 1.1 }] });
const operations = { imported: await import(`${name}/operations`), required: require(`${name}/operations`) };
for (const { createClient } of Object.values(operations)) {
  const client = createClient({ ...addresses, apiKey: "key", fetch: response });
  for (const { getUserBalances } of Object.values(operations)) {
    const { data } = await getUserBalances(client, { path });
    for (const { exactNumbers } of Object.values(operations)) {
      assert.equal(exactNumbers(data).fiatBalances[0].rate, "1.1");
    }
  }
}
console.log("Everything worked.");
