/** Helpers beside the calls: exact numbers, open sets, explanations. */
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPartnerClient, exactNumbers, match, unwrap } from "partner-wallet-api";
import { describe, expect, it } from "vitest";

const options = {
  baseUrl: "https://api.example/base/",
  depositBaseUrl: "https://deposits.example",
  apiKey: "canary-key",
};
const path = { externalUserId: "user-1042" };

describe("exactNumbers", () => {
  const text =
    '[{"id":"1","amount":1.10,"note":"costs 5.50 \\"net\\"","nested":{"rate":12345678901234567.890,"exponent":-1e-7},"none":null}]';
  const client = createPartnerClient({
    ...options,
    fetch: async () => new Response(text, { headers: { "content-type": "application/json" } }),
  });

  it("keeps the text of every number and nothing else", async () => {
    const cards = unwrap(await client.listUserCards({ path }));
    expect(exactNumbers(cards)).toEqual([
      {
        id: "1",
        amount: "1.10",
        note: 'costs 5.50 "net"',
        nested: { rate: "12345678901234567.890", exponent: "-0.0000001" },
        none: null,
      },
    ]);
  });

  it("refuses a copy, whose text nobody knows", async () => {
    const cards = unwrap(await client.listUserCards({ path }));
    expect(() => exactNumbers([...cards])).toThrow(TypeError);
  });
});

describe("match", () => {
  const describeStatus = (status: "SUCCESSFUL" | "FAILED" | (string & {})) =>
    match(status, { SUCCESSFUL: () => "done", otherwise: (value) => `not done: ${value}` });

  it.each([
    ["SUCCESSFUL", "done"],
    ["FAILED", "not done: FAILED"],
    ["SOMETHING_NEW", "not done: SOMETHING_NEW"],
    ["otherwise", "not done: otherwise"],
    ["toString", "not done: toString"],
  ])("%s", (status, expected) => {
    expect(describeStatus(status)).toBe(expected);
  });
});

describe("explain", () => {
  const client = createPartnerClient(options);

  it("gives the curl of a call without anything sensitive", () => {
    const { curl, url, answers } = client.explain("updateUser", {
      path,
      body: { email: "lena.vogel@mail.example", phone: "447700900123" },
    });
    expect(url).toBe("https://api.example/base/v1/user/user-1042");
    expect(curl).toBe(
      [
        "curl -X PATCH 'https://api.example/base/v1/user/user-1042'",
        "-H 'x-api-key: <API_KEY>'",
        "-H 'content-type: application/json'",
        `-d '{"email":"[redacted]","phone":"[redacted]"}'`,
      ].join(" \\\n  "),
    );
    expect(answers[404]).toEqual(["P412"]);
  });

  it("names files without their names, and quotes what a shell would read", () => {
    const { curl } = client.explain("addKycFiles", {
      path: { externalUserId: "o'hara" },
      body: { selfie: new File(["bytes"], "canary-file.png") },
    });
    expect(curl).toContain("o'\\''hara");
    expect(curl).toContain("-F 'selfie=@<FILE>'");
    expect(curl).not.toContain("canary");
  });

  it("shows the deposit address and the query", () => {
    const { url } = client.explain("getCryptoDepositDetails", {
      query: { externalId: "3e5a9c17-d8f4-4b20-86e1-f9c7a0d3b542" },
    });
    expect(url).toBe(
      "https://deposits.example/v1/crypto-deposit/details?externalId=3e5a9c17-d8f4-4b20-86e1-f9c7a0d3b542",
    );
  });

  it("refuses what could not be sent", () => {
    expect(() => client.explain("listUserCards", { path: { externalUserId: ".." } })).toThrow(TypeError);
  });
});

describe("uploads", () => {
  it("read a stream once and send it with every attempt", async () => {
    const folder = mkdtempSync(join(tmpdir(), "upload-"));
    const file = join(folder, "front.png");
    writeFileSync(file, "bytes of the front");
    const received: string[] = [];
    const client = createPartnerClient({
      ...options,
      fetch: async (request) => {
        const form = await request.formData();
        received.push(await (form.get("front_id") as File).text());
        if (received.length === 1) throw new TypeError("fetch failed");
        return Response.json({ message: "added" }, { status: 201 });
      },
    });
    const { error } = await client.addKycFiles({
      path,
      body: { front_id: { data: createReadStream(file), name: "front.png", type: "image/png" } },
      retries: 1,
    });
    rmSync(folder, { recursive: true });
    expect(error).toBeUndefined();
    expect(received).toEqual(["bytes of the front", "bytes of the front"]);
  });

  it.each([
    ["more files than stated", [1, 2, 3, 4].map(() => new Blob(["x"])), "at most 3 files"],
    ["a file larger than stated", [new Blob([new Uint8Array(5 * 1024 * 1024 + 1)])], "larger than 5242880 bytes"],
    [
      "a stream larger than stated",
      [{ data: chunksOf(5 * 1024 * 1024 + 1), name: "bill.pdf", type: "application/pdf" }],
      "larger than 5242880 bytes",
    ],
  ])("of %s are refused before anything is sent", async (_name, files, reason) => {
    let sent = 0;
    const client = createPartnerClient({
      ...options,
      fetch: async () => {
        sent += 1;
        return Response.json({ message: "added" }, { status: 201 });
      },
    });
    const { error } = await client.addPoaFiles({ path, body: { files } });
    expect(error?.kind).toBe("invalid-request");
    expect(error?.message).toContain(reason);
    expect(sent).toBe(0);
    const atTheLimit = [1, 2, 3].map(() => new Blob([new Uint8Array(5 * 1024 * 1024)]));
    expect((await client.addPoaFiles({ path, body: { files: atTheLimit } })).error).toBeUndefined();
  });

  it("that cannot be read are an error before anything is sent", async () => {
    let sent = false;
    const client = createPartnerClient({
      ...options,
      fetch: async () => {
        sent = true;
        return Response.json({});
      },
    });
    const data = createReadStream(join(tmpdir(), "no-such-folder", "canary-file.png"));
    const { error } = await client.addKycFiles({
      path,
      body: { selfie: { data, name: "canary-file.png", type: "image/png" } },
    });
    expect(error?.kind).toBe("invalid-request");
    expect(sent).toBe(false);
  });
});

/** A stream of so many bytes, in two chunks. */
async function* chunksOf(bytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new Uint8Array(bytes - 1);
  yield new Uint8Array(1);
}
