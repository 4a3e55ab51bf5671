import fc from "fast-check";
import { createRawClient } from "partner-wallet-api/raw";
import { describe, expect, it } from "vitest";
import { json, recordingClient } from "./support.ts";

const path = { externalUserId: "user-1042" };

const connect = (baseUrl = "https://api.example/base/") => recordingClient(() => json(200, []), { baseUrl });

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
    const { client, sent } = connect();
    const { error } = await client.listUserCards({ path: { externalUserId: value as string } });
    expect(error?.kind).toBe("invalid-request");
    expect(error?.message).toContain('"externalUserId"');
    expect(error?.message).toContain(reason);
    expect(sent).toEqual([]);
  });

  it.each([
    { month: "3", year: "2026" },
    { month: "13", year: "2026" },
    { month: "03", year: "26" },
  ])("are refused in a format that the contract does not allow: $month/$year", async (period) => {
    const { client, sent } = connect();
    const { error } = await client.getUserTransactionHistory({ path: { ...path, ...period } });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(error?.message).toMatch(period.year === "2026" ? /"month" does not match/ : /"year" does not match/);
    expect(sent).toEqual([]);
    const { error: none } = await client.getUserTransactionHistory({ path: { ...path, month: "03", year: "2026" } });
    expect(none).toBeUndefined();
  });

  it("are sent whole to exactly that operation, or refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (externalUserId) => {
        const { client, sent } = connect();
        const { error } = await client.listUserCards({ path: { externalUserId } });
        if (error?.kind === "invalid-request") return sent.length === 0;
        const segments = new URL(sent[0]?.url ?? "").pathname.split("/");
        const operation = segments.slice(0, 5).join("/");
        const value = decodeURIComponent(segments[5] ?? "");
        return segments.length === 6 && operation === "/base/v1/card/all" && value === externalUserId;
      }),
      { numRuns: 500 },
    );
  });
});

describe("addresses", () => {
  it.each([
    ["https://api.example", "https://api.example/v1/partner/balances"],
    ["https://api.example/", "https://api.example/v1/partner/balances"],
    ["https://api.example/base//", "https://api.example/base/v1/partner/balances"],
  ])("%s", async (baseUrl, expected) => {
    const { client, sent } = connect(baseUrl);
    await client.getPartnerBalances();
    expect(sent.map(({ url }) => url)).toEqual([expected]);
  });

  it("are those of the operation, also with the raw client", async () => {
    const { client, sent } = connect();
    const raw = createRawClient(client);
    await client.getCryptoDepositDetails({ query: { externalId: "x" } });
    await raw.GET("/v1/crypto-deposit/details", { params: { query: { externalId: "x" } } });
    await raw.GET("/v1/card/all/{externalUserId}", { params: { path } });
    const hosts = sent.map((request) => new URL(request.url).host);
    expect(hosts).toEqual(["deposits.example", "deposits.example", "api.example"]);
    expect(new Set(sent.map((request) => request.headers.get("x-api-key")))).toEqual(new Set(["key-of-the-test-4711"]));
  });
});

describe("explain", () => {
  const { client } = connect();

  it("returns the curl command of a call without sensitive values", async () => {
    const body = { email: "lena.vogel@mail.example", phone: "447700900123" };
    const { curl, url, responses } = await client.explain("updateUser", { path, body });
    expect(url).toBe("https://api.example/base/v1/user/user-1042");
    expect(curl).toBe(
      [
        "curl -X PATCH 'https://api.example/base/v1/user/user-1042'",
        "-H 'x-api-key: <API_KEY>'",
        "-H 'content-type: application/json'",
        `-d '{"email":"[redacted]","phone":"[redacted]"}'`,
      ].join(" \\\n  "),
    );
    expect(responses[404]).toEqual(["P412"]);
    const absent = { ...body, phone: undefined } as unknown as typeof body;
    expect((await client.explain("updateUser", { path, body: absent })).curl).toContain(`'{"email":"[redacted]"}'`);
  });

  it("replaces file names by a placeholder, and quotes for the shell", async () => {
    const body = { selfie: new File(["bytes"], "canary-file.png") };
    const { curl } = await client.explain("addKycFiles", { path: { externalUserId: "o'hara" }, body });
    expect(curl).toContain("o'\\''hara");
    expect(curl).toContain("-F 'selfie=@<FILE>'");
    expect(curl).not.toContain("canary");
  });

  it("uses the deposit address and the query, and refuses a call that could not be sent", async () => {
    const { url } = await client.explain("getCryptoDepositDetails", { query: { externalId: "3e5a9c17" } });
    expect(url).toBe("https://deposits.example/v1/crypto-deposit/details?externalId=3e5a9c17");
    const refused = client.explain("listUserCards", { path: { externalUserId: ".." } });
    await expect(refused).rejects.toThrow(TypeError);
  });
});

describe("a member that means the partner when it is absent", () => {
  const amount = { amount: "10.00", currency: "eur" } as const;
  const user = "user-1042";
  class Payment {
    readonly amount = "10.00";
    readonly currency = "eur";
    readonly destinationExternalUserId = user;
    get sourceExternalUserId() {
      return user;
    }
  }

  it.each<[name: string, body: object, lacking: string]>([
    [
      "undefined, which JSON leaves out",
      { sourceExternalUserId: undefined, destinationExternalUserId: user },
      "source",
    ],
    ["null", { sourceExternalUserId: null, destinationExternalUserId: user }, "source"],
    ["empty", { sourceExternalUserId: "", destinationExternalUserId: user }, "source"],
    ["blank", { sourceExternalUserId: user, destinationExternalUserId: " " }, "destination"],
    ["inherited, which JSON leaves out", new Payment(), "source"],
  ])("is refused when it is %s, since the partner would pay or be paid", async (_name, body, lacking) => {
    const { client, sent } = connect();
    const { error } = await client.createTransfer({ body: Object.assign(body, amount) as never });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(error?.message).toContain(`${lacking}ExternalUserId has no value`);
    expect(sent).toEqual([]);
  });

  it("can be omitted", async () => {
    const { client, sent } = connect();
    await client.createTransfer({ body: { sourceExternalUserId: user, ...amount } });
    await client.createTransfer({ body: { destinationExternalUserId: user, ...amount } });
    expect(sent).toHaveLength(2);
  });
});
