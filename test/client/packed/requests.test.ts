import fc from "fast-check";
import { createRawClient } from "partner-wallet-api/raw";
import { describe, expect, it, vi } from "vitest";
import { anyCharacter } from "./any-character.ts";
import { createdResponse, jsonResponse, recordingClient, refusalResponse } from "./support.ts";

const path = { externalUserId: "user-1042" };

const clientWithBaseUrl = (baseUrl = "https://api.example/base/") =>
  recordingClient(() => jsonResponse(200, []), { baseUrl });

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
    ["an object that becomes no text", Object.create(null), "must be a string"],
    ["NaN", Number.NaN, "must be a string"],
    ["Infinity", Number.POSITIVE_INFINITY, "must be a string"],
    ["a number of too many digits", 2 ** 64, "must be a string"],
  ])("are refused when %s", async (_name, value, reason) => {
    const { client, sentRequests } = clientWithBaseUrl();
    const { error } = await client.listUserCards({ path: { externalUserId: value as string } });
    expect(error?.kind).toBe("invalid-request");
    expect(error?.message).toContain('"externalUserId"');
    expect(error?.message).toContain(reason);
    expect(sentRequests).toEqual([]);
  });

  it.each([
    { month: "3", year: "2026" },
    { month: "13", year: "2026" },
    { month: "03", year: "26" },
  ])("are refused in a format that the contract does not allow: $month/$year", async (period) => {
    const { client, sentRequests } = clientWithBaseUrl();
    const { error } = await client.getUserTransactionHistory({ path: { ...path, ...period } });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(error?.message).toMatch(period.year === "2026" ? /"month" does not match/ : /"year" does not match/);
    expect(sentRequests).toEqual([]);
    const { error: noError } = await client.getUserTransactionHistory({ path: { ...path, month: "03", year: "2026" } });
    expect(noError).toBeUndefined();
  });

  it("are sent whole to exactly that operation, or refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: anyCharacter }), fc.string()), async (externalUserId) => {
        const { client, sentRequests } = clientWithBaseUrl();
        const { error } = await client.listUserCards({ path: { externalUserId } });
        if (error?.kind === "invalid-request") return sentRequests.length === 0;
        const segments = new URL(sentRequests[0]?.url ?? "").pathname.split("/");
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
    const { client, sentRequests } = clientWithBaseUrl(baseUrl);
    await client.getPartnerBalances();
    expect(sentRequests.map(({ url }) => url)).toEqual([expected]);
  });

  it("are those of the operation, also with the raw client", async () => {
    const { client, sentRequests } = clientWithBaseUrl();
    const rawClient = createRawClient(client);
    await client.getCryptoDepositDetails({ query: { externalId: "x" } });
    await rawClient.GET("/v1/crypto-deposit/details", { params: { query: { externalId: "x" } } });
    await rawClient.GET("/v1/card/all/{externalUserId}", { params: { path } });
    const hosts = sentRequests.map((request) => new URL(request.url).host);
    expect(hosts).toEqual(["deposits.example", "deposits.example", "api.example"]);
    expect(new Set(sentRequests.map((request) => request.headers.get("x-api-key")))).toEqual(
      new Set(["key-of-the-test-4711"]),
    );
  });
});

describe("explain", () => {
  const { client } = clientWithBaseUrl();

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
    const clientWithHeader = recordingClient(createdResponse, { headers: { "x-tenant": "canary" } }).client;
    const explanation = await clientWithHeader.explain("getUserBalances", { path });
    expect(explanation.curl.split(" \\\n  ").slice(2)).toEqual(["-H 'x-tenant: <VALUE>'"]);
    expect(responses[404]).toEqual(["P412"]);
    const bodyWithUndefined = { ...body, phone: undefined } as unknown as typeof body;
    expect((await client.explain("updateUser", { path, body: bodyWithUndefined })).curl).toContain(
      `'{"email":"[redacted]"}'`,
    );
  });

  it("replaces file names by a placeholder, and quotes for the shell", async () => {
    const body = { selfie: new File(["bytes"], "canary-file.png") };
    const { curl } = await client.explain("addKycFiles", { path: { externalUserId: "o'hara" }, body });
    expect(curl).toContain("o'\\''hara");
    expect(curl).toContain("-F 'selfie=@<FILE>'");
    expect(curl).not.toContain("canary");
  });

  it("uses the deposit address and the query", async () => {
    const { url } = await client.explain("getCryptoDepositDetails", { query: { externalId: "3e5a9c17" } });
    expect(url).toBe("https://deposits.example/v1/crypto-deposit/details?externalId=3e5a9c17");
  });

  it("logs nothing, because it makes no call", async () => {
    const logger = vi.fn();
    const { client: loggingClient } = recordingClient(createdResponse, { logger });
    await loggingClient.explain("listUserCards", { path });
    await expect(loggingClient.explain("listUserCards", { path: { externalUserId: "" } })).rejects.toThrow("is empty");
    expect(logger).not.toHaveBeenCalled();
  });

  it("rejects for a call that the client would not send", async () => {
    const refusedExplanation = client.explain("listUserCards", { path: { externalUserId: ".." } });
    await expect(refusedExplanation).rejects.toThrow(TypeError);
    const zeroAmountTransfer = { destinationExternalUserId: "user-1042", amount: "0", currency: "eur" } as const;
    await expect(client.explain("createTransfer", { body: zeroAmountTransfer })).rejects.toThrow("amount");
    const withoutFile = { path: { externalUserId: "user-1042" }, body: {} as never };
    await expect(client.explain("addKycFiles", withoutFile)).rejects.toThrow("The body has no file");
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

  it.each<[name: string, body: object, missingMemberPrefix: string]>([
    [
      "undefined, which JSON leaves out",
      { sourceExternalUserId: undefined, destinationExternalUserId: user },
      "source",
    ],
    ["null", { sourceExternalUserId: null, destinationExternalUserId: user }, "source"],
    ["empty", { sourceExternalUserId: "", destinationExternalUserId: user }, "source"],
    ["blank", { sourceExternalUserId: user, destinationExternalUserId: " " }, "destination"],
    ["a list of blanks", { sourceExternalUserId: [" "], destinationExternalUserId: user }, "source"],
    ["inherited, which JSON leaves out", new Payment(), "source"],
  ])("is refused when it is %s, since the partner would pay or be paid", async (_name, body, missingMemberPrefix) => {
    const { client, sentRequests } = clientWithBaseUrl();
    const { error } = await client.createTransfer({ body: Object.assign(body, amount) as never });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(error?.message).toContain(`${missingMemberPrefix}ExternalUserId has no value`);
    expect(sentRequests).toEqual([]);
  });

  it("is sent when it is an object that cannot be converted to a text", async () => {
    const { client, sentRequests } = clientWithBaseUrl();
    await client.createTransfer({ body: { sourceExternalUserId: { toString: 1 }, ...amount } as never });
    expect(await sentRequests[0]?.json()).toMatchObject({ sourceExternalUserId: { toString: 1 } });
  });

  it.each([
    "sourceExternalUserID",
    "source_external_user_id",
    "SourceExternalUserId",
    "sourceExternalUserIds",
    "sourceExternlUserId",
    "souceExternalUserId",
    "sourceExtrenalUserId",
    "sourceExternalUserld",
  ])("is refused under the name %s", async (name) => {
    const { client, sentRequests } = clientWithBaseUrl();
    const { error } = await client.createTransfer({
      body: { [name]: user, destinationExternalUserId: user, ...amount } as never,
    });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(error?.message).toContain("a member whose name is nearly sourceExternalUserId");
    expect(sentRequests).toEqual([]);
  });

  it.each(["owningExternalUserId", "xyurceExternalUserId"])("has another name than %s, which is sent", async (name) => {
    const { client, sentRequests } = clientWithBaseUrl();
    await client.createTransfer({ body: { [name]: user, destinationExternalUserId: user, ...amount } as never });
    expect(sentRequests).toHaveLength(1);
  });

  it("can be omitted", async () => {
    const { client, sentRequests } = clientWithBaseUrl();
    await client.createTransfer({ body: { sourceExternalUserId: user, ...amount } });
    await client.createTransfer({ body: { destinationExternalUserId: user, ...amount } });
    expect(sentRequests).toHaveLength(2);
  });
});

describe("the body of a call", () => {
  const user = {
    externalUserId: "user-1042",
    email: "ada@users.example",
    phone: "49151000000",
    birthDate: "1990-05-17",
    firstName: "Ada",
    lastName: "Beispiel",
    city: "Berlin",
    postCode: "10115",
    country: "DE",
  };
  const validTransfer = { sourceExternalUserId: "user-1042", amount: "10.00", currency: "eur" } as const;

  it.each([
    ["a pattern", { phone: "+49 151" }, "/phone does not keep to the contract: pattern ^\\d+$."],
    ["a format", { birthDate: "17.05.1990" }, "/birthDate does not have its format"],
    [
      "a pattern of a schema that several members share",
      { country: "Germany" },
      "/country does not keep to the contract",
    ],
  ])("is refused, without the value, when a member breaks %s that is stated", async (_name, member, reason) => {
    const { client, sentRequests } = clientWithBaseUrl();
    const { error } = await client.createUserAccount({ body: { ...user, ...member } });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent", attempts: 0 });
    expect(error?.message).toContain(reason);
    expect(error?.message).not.toContain(Object.values(member)[0]);
    expect(sentRequests).toEqual([]);
  });

  it("is refused when a member has none of the values that are stated", async () => {
    const { client } = clientWithBaseUrl();
    const body = { ...validTransfer, documentType: "passport" } as never;
    const { error } = await client.addUserVerification({ body });
    expect(error?.message).toBe("addUserVerification: /documentType must be one of ID_CARD, PASSPORT.");
  });

  it("is sent with a value whose form is not stated", async () => {
    const { client, sentRequests } = clientWithBaseUrl();
    const card = { externalUserId: "user-1042", cardId: "no-uuid" };
    await client.blockCard({ body: card });
    await client.createUserAccount({ body: { ...user, nationality: "German" } });
    expect(sentRequests).toHaveLength(2);
  });

  it("is sent with a member that the contract does not list, which is reported before", async () => {
    const deviations: unknown[] = [];
    const { client, sentRequests } = recordingClient(createdResponse, {
      onDeviation: (deviation) => void deviations.push(deviation),
    });
    await client.createTransfer({ body: { ...validTransfer, note: "rent" } as never });
    expect(await sentRequests[0]?.json()).toEqual({ ...validTransfer, note: "rent" });
    expect(deviations).toEqual([{ operationId: "createTransfer", pointer: "/note", rule: "unlisted-member" }]);
  });

  it("is named in the message of a refusal by the members that the service names", async () => {
    const body = { errorCode: "P403", errorMessage: "birthDate: Ada, phone", timestamp: "2026-03-14T09:26:53.589Z" };
    const { client } = recordingClient(() => jsonResponse(400, body));
    const { error } = await client.createUserAccount({ body: user });
    expect(error?.message).toBe("createUserAccount: 400 P403 Validation error: phone, birthDate");
  });
});

it("a request without a body has no content type", async () => {
  const { client, sentRequests } = recordingClient(() => jsonResponse(200, []));
  await client.getPartnerBalances({ headers: { "content-type": "text/plain" } });
  expect(sentRequests.map(({ headers }) => headers.get("content-type"))).toEqual([null]);
});

describe("the cache of fetch", () => {
  it("is not used, unless fetchOptions say so", async () => {
    const { client, sentRequests } = recordingClient(() => refusalResponse("P501"), { retries: 1 });
    await client.getPartnerBalances();
    await createRawClient(client).GET("/v1/partner/balances");
    expect(sentRequests.map(({ cache }) => cache)).toEqual(["no-store", "no-store", "no-store"]);
    const clientWithReload = recordingClient(() => jsonResponse(200, []), { fetchOptions: { cache: "reload" } });
    await clientWithReload.client.getPartnerBalances();
    await createRawClient(clientWithReload.client).GET("/v1/partner/balances");
    expect(clientWithReload.sentRequests.map(({ cache }) => cache)).toEqual(["reload", "reload"]);
  });

  it("is not mentioned where a Request refuses the option, as on some edge runtimes", async () => {
    vi.resetModules();
    vi.stubGlobal(
      "Request",
      class extends Request {
        constructor(url: string, init: RequestInit) {
          if ("cache" in init) throw new Error("The 'cache' field on 'RequestInitializerDict' is not implemented.");
          super(url, init);
        }
      },
    );
    try {
      const { createPartnerClient } = await import("partner-wallet-api");
      const fetch = async () => jsonResponse(200, { fiatBalances: [], cryptoBalances: [] });
      const client = createPartnerClient({ baseUrl: "https://api.example", apiKey: "k", fetch });
      expect((await client.getPartnerBalances()).error).toBeUndefined();
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
