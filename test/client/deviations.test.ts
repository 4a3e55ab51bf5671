import type { ClientOptions, Deviation } from "partner-wallet-api";
import { describe, expect, it } from "vitest";
import { clientWith, lock, transfer, transferId } from "./packed/support.ts";

const json = { "content-type": "application/json" };
const order = { body: { currency: "btc", amount: "250.00", network: "btc" } } as const;

function answering(respond: () => Response, onDeviation: NonNullable<ClientOptions["onDeviation"]>, retries = 0) {
  return clientWith(async () => respond(), { onDeviation, retries });
}

async function deviationsOf(status: number, headers: Record<string, string>, body: unknown) {
  const told: Deviation[] = [];
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const respond = () => new Response(status === 204 ? null : text, { status, headers });
  await answering(respond, (deviation) => void told.push(deviation)).createOrderRateLock(order);
  expect(told.map(({ operationId, status }) => [operationId, status])).toEqual(
    told.map(() => ["createOrderRateLock", status]),
  );
  return { told: told.map(({ pointer, rule }) => `${pointer} ${rule}`), full: told };
}

const failure = { errorCode: "P403", errorMessage: "no", timestamp: "2026-03-14T09:26:53.589Z" };

describe("onDeviation of a client", () => {
  it.each<[string, number, Record<string, string>, unknown, string[]]>([
    ["what the contract documents", 201, json, lock, []],
    ["another success status", 200, json, lock, [" status"]],
    ["another media type", 201, { "content-type": "text/plain" }, lock, [" media-type"]],
    ["no body", 201, json, "", [" body"]],
    ["a page", 502, { "content-type": "text/html" }, "<p>", [" status", " media-type"]],
    ["a redirect", 302, { location: "/" }, "", [" status"]],
    ["a documented code", 400, json, failure, []],
    ["a code of another operation", 400, json, { ...failure, errorCode: "P412" }, ["/errorCode error-code"]],
    ["a code nobody knows", 400, json, { ...failure, errorCode: "P999" }, ["/errorCode error-code"]],
    ["a failure without a code", 400, json, { errorMessage: "no" }, ["/errorCode required"]],
    ["a failure in another form", 400, json, { ...failure, timestamp: 7 }, ["/timestamp type"]],
    ["a missing field", 201, json, { ...lock, rate: undefined }, ["/rate required"]],
    ["another type", 201, json, { ...lock, rate: "1" }, ["/rate type"]],
    ["null", 201, json, { ...lock, lockId: null }, ["/lockId type"]],
    ["another form", 201, json, { ...lock, lockId: "7" }, ["/lockId format"]],
    ["another field", 201, json, { ...lock, fee: 1 }, ["/fee unlisted-field"]],
    ["a list in place of an object", 200, json, [lock], [" status", " type"]],
  ])("reports the expected deviations of %s", async (_name, status, headers, body, expected) => {
    const { told } = await deviationsOf(status, headers, body);
    expect(told).toEqual(expected);
  });

  it.each([
    ["one of another operation", { ...failure, errorCode: "P464" }, "code", []],
    ["one that nobody knows", { ...failure, errorCode: "P999" }, "unknown-code", []],
    ["none", { ...failure, errorCode: undefined }, "unexpected-response", [["/errorCode", "required"]]],
    ["no P-code", { ...failure, errorCode: "E17" }, "unknown-code", [["/errorCode", "pattern"]]],
    ["one in another form", { ...failure, errorCode: "P464", timestamp: 7 }, "code", [["/timestamp", "type"]]],
  ])(
    "reports no deviation for any P-code where the list of codes is not stated: %s",
    async (_name, body, kind, expected) => {
      const told: unknown[] = [];
      const onDeviation = ({ pointer, rule }: Deviation) => void told.push([pointer, rule]);
      const respond = () => Response.json(body, { status: 400 });
      const { error } = await answering(respond, onDeviation).createTransfer({ body: transfer });
      expect(error).toMatchObject({ kind, documented: false });
      expect(told).toEqual(expected);
    },
  );

  it("reports nothing for a P-code or none where neither is stated", async () => {
    const told: Deviation[] = [];
    const calls = [failure, { ...failure, errorCode: undefined }].map(async (body) => {
      const client = answering(
        () => Response.json(body, { status: 404 }),
        (deviation) => void told.push(deviation),
      );
      const { error } = await client.getTransferDetails({ path: { transferId } });
      return [error?.kind, error?.documented];
    });
    expect(await Promise.all(calls)).toEqual([
      ["code", false],
      ["no-code", true],
    ]);
    expect(told).toEqual([]);
  });

  it("is called for every attempt", async () => {
    const statuses: unknown[] = [];
    const respond = () => new Response("{}", { status: 429, headers: { ...json, "retry-after": "0" } });
    const onDeviation = ({ status, rule }: Deviation) => void statuses.push([status, rule]);
    await answering(respond, onDeviation, 2).getPartnerBalances();
    expect(statuses).toEqual(Array(3).fill([429, "status"]));
  });

  it("never receives a value of the response", async () => {
    const { full } = await deviationsOf(201, json, {
      ...lock,
      lockId: "canary-1",
      expiresAt: "canary-2",
      "canary-3": "canary-4",
    });
    expect(full.length).toBeGreaterThan(2);
    expect(JSON.stringify(full)).not.toContain("canary");
  });

  it("receives the open question that covers the deviation", async () => {
    const told: Deviation[] = [];
    let status = 200;
    const respond = () => new Response('{"orderId":"1"}', { status, headers: json });
    const client = answering(respond, (deviation) => void told.push(deviation));
    await client.createOrder({ body: { lockId: lock.lockId } });
    status = 300;
    await client.createOrder({ body: { lockId: lock.lockId } });
    // The open question is about the success status.
    const deviation = { operationId: "createOrder", pointer: "", rule: "status" };
    expect(told.find(({ status }) => status === 300)).toEqual({ ...deviation, status: 300 });
    expect(told[0]).toEqual({ ...deviation, status: 200, question: "Q-creation-status" });
  });

  it("is not awaited", async () => {
    const { data } = await answering(
      () => Response.json(lock, { status: 299 }),
      () => new Promise<void>(() => {}),
    ).createOrderRateLock(order);
    expect(data).toEqual(lock);
  });

  it("reports a success that holds a P-code, and a body of 100,000 items", async () => {
    const { told } = await deviationsOf(201, json, failure);
    expect(told).toEqual(expect.arrayContaining(["/errorCode error-code", "/lockId required"]));
    const items = Array.from({ length: 100_000 }, () => ({}));
    expect((await deviationsOf(201, json, items)).told).not.toEqual([]);
  });

  it("receives the open question of a P-code that has one", async () => {
    const { full } = await deviationsOf(400, json, { ...failure, errorCode: "P412" });
    expect(full.map(({ question }) => question)).toEqual(["Q-user-not-found-status"]);
  });

  it.each(["toString", "constructor", "__proto__"])("receives no open question for the code %s", async (errorCode) => {
    const { full } = await deviationsOf(400, json, { ...failure, errorCode });
    expect(full.map(({ question }) => question)).toEqual(full.map(() => undefined));
  });
});
