/** What the client refuses to send. */
import fc from "fast-check";
import { createPartnerClient } from "partner-wallet-api";
import { describe, expect, it } from "vitest";

/** A client that remembers what it sent instead of sending it. */
function recordingClient() {
  const sent: Request[] = [];
  const client = createPartnerClient({
    baseUrl: "https://api.example/base",
    depositBaseUrl: "https://deposits.example",
    apiKey: "canary-key",
    fetch: async (request) => {
      sent.push(request);
      return Response.json([]);
    },
  });
  return { client, sent };
}

describe("path parameters", () => {
  it.each([
    ["missing", undefined, "is missing"],
    ["null", null, "is missing"],
    ["empty", "", "is empty"],
    ["a dot", ".", "must not be a relative path segment"],
    ["two dots", "..", "must not be a relative path segment"],
    ["with a slash", "a/b", "must not contain a slash"],
    ["with a backslash", "a\\b", "must not contain a slash, a backslash"],
    ["with a line break", "a\nb", "control character"],
    ["with a null character", "a\u0000", "control character"],
    ["half a surrogate pair", "\ud800", "an unpaired surrogate"],
    ["an object", {}, "must be a string"],
  ])("are refused when %s", async (_name, value, reason) => {
    const { client, sent } = recordingClient();
    const { error } = await client.listUserCards({ path: { externalUserId: value as string } });
    expect(error?.kind).toBe("invalid-request");
    expect(error?.message).toContain('"externalUserId"');
    expect(error?.message).toContain(reason);
    expect(sent).toEqual([]);
  });

  it("reach exactly the operation and carry the value whole, or are refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (externalUserId) => {
        const { client, sent } = recordingClient();
        const { error } = await client.listUserCards({ path: { externalUserId } });
        if (error?.kind === "invalid-request") return sent.length === 0;
        const segments = new URL(sent[0]?.url ?? "").pathname.split("/");
        return (
          segments.length === 6 &&
          segments.slice(0, 5).join("/") === "/base/v1/card/all" &&
          decodeURIComponent(segments[5] ?? "") === externalUserId
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe("bodies", () => {
  it("are refused when they are missing", async () => {
    const { client, sent } = recordingClient();
    const { error } = await client.createUserAccount({} as Parameters<typeof client.createUserAccount>[0]);
    expect(error).toMatchObject({ kind: "invalid-request" });
    expect(sent).toEqual([]);
  });

  it.each([
    ["a part that is no file", { front_id: 5 }, "front_id"],
    ["a part that the contract does not know", { back: new Blob([]) }, 'no part "back"'],
    ["no object", "front_id", "object of files"],
  ])("of files are refused with %s", async (_name, body, reason) => {
    const { client, sent } = recordingClient();
    const { error } = await client.addKycFiles({ path: { externalUserId: "user-1042" }, body: body as object });
    expect(error?.kind).toBe("invalid-request");
    expect(error?.message).toContain(reason);
    expect(sent).toEqual([]);
  });

  it("of files keep names and types", async () => {
    const { client, sent } = recordingClient();
    await client.addKycFiles({
      path: { externalUserId: "user-1042" },
      body: {
        selfie: { data: "bytes", name: "me.jpg", type: "image/jpeg" },
        front_id: new File(["bytes"], "front.png", { type: "image/png" }),
      },
    });
    const form = await sent[0]?.formData();
    const parts = [...(form ?? [])].map(([name, file]) => [name, (file as File).name, (file as File).type]);
    expect(parts).toEqual([
      ["front_id", "front.png", "image/png"],
      ["selfie", "me.jpg", "image/jpeg"],
    ]);
  });
});

describe("client options", () => {
  const valid = { baseUrl: "https://api.example", depositBaseUrl: "https://deposits.example", apiKey: "key" };
  it.each([
    ["baseUrl", undefined],
    ["baseUrl", ""],
    ["baseUrl", "api.example"],
    ["baseUrl", "ftp://api.example"],
    ["baseUrl", "https://user:secret@api.example"],
    ["baseUrl", "https://api.example?x=1"],
    ["depositBaseUrl", ""],
    ["attemptTimeoutMs", Number.NaN],
    ["apiKey", undefined],
    ["apiKey", ""],
    ["apiKey", "canary\nkey"],
    ["timeoutMs", -1],
    ["timeoutMs", "5"],
    ["retries", Number.NaN],
  ])("%s = %j is a clear error when the client is made", (name, value) => {
    const make = () => createPartnerClient({ ...valid, [name]: value });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(name);
    expect(make).not.toThrow(/canary|secret/);
  });
});

describe("addresses", () => {
  it.each([
    ["https://api.example", "https://api.example/v1/order/lock-rate"],
    ["https://api.example/", "https://api.example/v1/order/lock-rate"],
    ["https://api.example/base//", "https://api.example/base/v1/order/lock-rate"],
  ])("%s", async (baseUrl, expected) => {
    let url = "";
    const client = createPartnerClient({
      baseUrl,
      depositBaseUrl: "https://deposits.example",
      apiKey: "key",
      fetch: async (request) => {
        url = request.url;
        return Response.json({});
      },
    });
    await client.createOrderRateLock({ body: { currency: "btc", amount: "1", network: "btc" } });
    expect(url).toBe(expected);
  });

  it("leads the raw client to the right address as well", async () => {
    const { client, sent } = recordingClient();
    await client.raw.GET("/v1/crypto-deposit/details", { params: { query: { externalId: "x" } } });
    await client.raw.GET("/v1/card/all/{externalUserId}", { params: { path: { externalUserId: "x" } } });
    expect(sent.map((request) => new URL(request.url).host)).toEqual(["deposits.example", "api.example"]);
    expect(sent.map((request) => request.headers.get("x-api-key"))).toEqual(["canary-key", "canary-key"]);
  });
});
