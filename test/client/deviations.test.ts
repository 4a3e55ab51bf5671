import type { ClientOptions, Deviation } from "partner-wallet-api";
import { describe, expect, it } from "vitest";
import { clientWith, lock, transfer, transferId } from "./packed/support.ts";

const jsonType = { "content-type": "application/json" };
const order = { body: { currency: "btc", amount: "250.00", network: "btc" } } as const;

function clientWithResponse(
  respond: () => Response,
  onDeviation: NonNullable<ClientOptions["onDeviation"]>,
  retries = 0,
) {
  return clientWith(async () => respond(), { onDeviation, retries });
}

async function deviationsOf(status: number, headers: Record<string, string>, body: unknown) {
  const deviations: Deviation[] = [];
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const respond = () => new Response(text, { status, headers });
  await clientWithResponse(respond, (deviation) => void deviations.push(deviation)).createOrderRateLock(order);
  for (const deviation of deviations) expect(deviation).toMatchObject({ operationId: "createOrderRateLock", status });
  return { rules: deviations.map(({ pointer, rule }) => `${pointer} ${rule}`), reported: deviations };
}

const failure = { errorCode: "P403", errorMessage: "no", timestamp: "2026-03-14T09:26:53.589Z" };

describe("onDeviation of a client", () => {
  it.each<[string, number, Record<string, string>, unknown, string[]]>([
    ["what the contract documents", 201, jsonType, lock, []],
    ["another success status", 200, jsonType, lock, [" status"]],
    ["another media type", 201, { "content-type": "text/plain" }, lock, [" media-type"]],
    ["no body", 201, jsonType, "", [" body"]],
    ["a page", 502, { "content-type": "text/html" }, "<p>", [" status", " media-type"]],
    ["a redirect", 302, { location: "/" }, "", [" status"]],
    ["a documented code", 400, jsonType, failure, []],
    ["a code of another operation", 400, jsonType, { ...failure, errorCode: "P412" }, ["/errorCode error-code"]],
    ["a code nobody knows", 400, jsonType, { ...failure, errorCode: "P999" }, ["/errorCode error-code"]],
    ["a code in another form", 400, jsonType, { ...failure, errorCode: "E17" }, ["/errorCode error-code"]],
    ["a failure without a code", 400, jsonType, { errorMessage: "no" }, ["/errorCode required"]],
    ["a failure in another form", 400, jsonType, { ...failure, timestamp: 7 }, ["/timestamp type"]],
    ["a missing field", 201, jsonType, { ...lock, rate: undefined }, ["/rate required"]],
    ["another type", 201, jsonType, { ...lock, rate: "1" }, ["/rate type"]],
    ["null", 201, jsonType, { ...lock, lockId: null }, ["/lockId type"]],
    ["another form", 201, jsonType, { ...lock, lockId: "7" }, ["/lockId format"]],
    ["another field", 201, jsonType, { ...lock, fee: 1 }, ["/fee unlisted-field"]],
    ["a list in place of an object", 200, jsonType, [lock], [" status", " type"]],
  ])("reports the expected deviations of %s", async (_name, status, headers, body, expected) => {
    expect((await deviationsOf(status, headers, body)).rules).toEqual(expected);
  });

  it.each([
    ["one of another operation", { errorCode: "P464" }, "code", []],
    ["one that nobody knows", { errorCode: "P999" }, "unknown-code", []],
    ["none", { errorCode: undefined }, "unexpected-response", [["/errorCode", "required"]]],
    ["no P-code", { errorCode: "E17" }, "unknown-code", [["/errorCode", "pattern"]]],
    ["one in another form", { errorCode: "P464", timestamp: 7 }, "code", [["/timestamp", "type"]]],
  ])(
    "reports no deviation for any P-code where the list of codes is not stated: %s",
    async (_name, change, kind, expected) => {
      const rules: unknown[] = [];
      const onDeviation = ({ pointer, rule }: Deviation) => void rules.push([pointer, rule]);
      const respond = () => Response.json({ ...failure, ...change }, { status: 400 });
      const { error } = await clientWithResponse(respond, onDeviation).createTransfer({ body: transfer });
      expect(error).toMatchObject({ kind, documented: false });
      expect(rules).toEqual(expected);
    },
  );

  it.each([
    ["P403", { kind: "code", documented: false }],
    [undefined, { kind: "no-code", documented: true }],
  ])(
    "reports nothing for the code %s where neither a P-code nor its absence is stated",
    async (errorCode, expected) => {
      const respond = () => Response.json({ ...failure, errorCode }, { status: 404 });
      const deviations: Deviation[] = [];
      const client = clientWithResponse(respond, (deviation) => void deviations.push(deviation));
      const { error } = await client.getTransferDetails({ path: { transferId } });
      expect(error).toMatchObject(expected);
      expect(deviations).toEqual([]);
    },
  );

  it("is called for every attempt", async () => {
    const statuses: unknown[] = [];
    const respond = () => new Response("{}", { status: 429, headers: { ...jsonType, "retry-after": "0" } });
    const onDeviation = ({ status, rule }: Deviation) => void statuses.push([status, rule]);
    await clientWithResponse(respond, onDeviation, 2).getPartnerBalances();
    expect(statuses).toEqual(Array(3).fill([429, "status"]));
  });

  it("never receives a value of the response", async () => {
    const body = { ...lock, lockId: "canary-1", expiresAt: "canary-2", "canary-3": "canary-4" };
    const { reported } = await deviationsOf(201, jsonType, body);
    expect(reported.length).toBeGreaterThan(2);
    expect(JSON.stringify(reported)).not.toContain("canary");
  });

  it.each([
    [200, { question: "Q-creation-status" }],
    [300, {}],
  ])("receives the open question about the success status: %i", async (status, question) => {
    const deviations: Deviation[] = [];
    const respond = () => new Response('{"orderId":"1"}', { status, headers: jsonType });
    const client = clientWithResponse(respond, (deviation) => void deviations.push(deviation));
    await client.createOrder({ body: { lockId: lock.lockId } });
    expect(deviations[0]).toEqual({ operationId: "createOrder", pointer: "", rule: "status", status, ...question });
  });

  it("is not awaited", async () => {
    const { data } = await clientWithResponse(
      () => Response.json(lock, { status: 299 }),
      () => new Promise<void>(() => {}),
    ).createOrderRateLock(order);
    expect(data).toEqual(lock);
  });

  it("reports a success that holds a P-code", async () => {
    const { rules } = await deviationsOf(201, jsonType, failure);
    expect(rules).toEqual(expect.arrayContaining(["/errorCode error-code", "/lockId required"]));
  });

  it("reports a body of 100,000 items that should be an object", async () => {
    const items = Array.from({ length: 100_000 }, () => ({}));
    expect((await deviationsOf(201, jsonType, items)).rules).not.toEqual([]);
  });

  it.each([
    ["P412", "Q-user-not-found-status"],
    ["toString", undefined],
    ["__proto__", undefined],
  ])("receives the open question of the code %s: %s", async (errorCode, question) => {
    const { reported } = await deviationsOf(400, jsonType, { ...failure, errorCode });
    expect(reported[0]?.question).toBe(question);
  });
});
