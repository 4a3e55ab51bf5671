/** Uploads through the client: what is sent, and what ends the reading of a stream. Defects 2, 3, 11 and 18. */
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { type ClientOptions, createPartnerClient, type FileUpload } from "partner-wallet-api";
import { describe, expect, it } from "vitest";

const path = { externalUserId: "user-1042" };
const mebibyte = 2 ** 20;
const limit = 5 * mebibyte;

const addresses = {
  baseUrl: "https://api.example",
  depositBaseUrl: "https://deposits.example",
  apiKey: "key-of-the-test",
};
const added = () => Response.json({ message: "added" }, { status: 201 });

/** A client, and the form and the content type of each request that it sent. */
function recordingClient(options: Partial<ClientOptions> = {}, answer: (attempt: number) => Response = added) {
  const sent: { form: FormData; contentType: string | null }[] = [];
  const fetch = async (request: Request) => {
    const contentType = request.headers.get("content-type");
    sent.push({ form: await request.formData(), contentType });
    return answer(sent.length);
  };
  return { client: createPartnerClient({ ...addresses, fetch, ...options }), sent };
}

const png = (data: Extract<FileUpload, { data: unknown }>["data"], name = "a.png") => ({
  data,
  name,
  type: "image/png",
});

const stalled = () => {
  const stream = new PassThrough();
  stream.write("abc");
  return stream;
};

/** Never lets a timer run by itself. */
async function* endless(): AsyncGenerator<string> {
  for (;;) yield "";
}

/** Waits for ever, whatever it is asked. */
const deaf: AsyncIterable<string> = {
  [Symbol.asyncIterator]: () => {
    const forever = () => new Promise<never>(() => undefined);
    return { next: forever, return: forever };
  },
};

const unending: [string, () => Extract<FileUpload, { data: unknown }>["data"]][] = [
  ["a stream of Node that stalls", stalled],
  ["a ReadableStream that stalls", () => new ReadableStream<string>()],
  ["a stream that never waits", endless],
  ["a stream that ignores return()", () => deaf],
];

describe.each(unending)("%s", (_name, open) => {
  it("3: ends with the timeout, and nothing is sent", async () => {
    const { client, sent } = recordingClient();
    const { error } = await client.addKycFiles({ path, body: { selfie: png(open()) }, timeoutMs: 60, retries: 2 });
    expect(error).toMatchObject({ kind: "timeout", outcome: "not-sent", status: undefined });
    expect(sent).toEqual([]);
  });

  it("3: ends with the signal, and nothing is sent", async () => {
    const { client, sent } = recordingClient();
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("the user left")), 40);
    const { error } = await client.addPoaFiles({
      path,
      body: { files: [png("a"), png(open())] },
      signal: controller.signal,
      retries: 2,
    });
    expect(error).toMatchObject({ kind: "aborted", outcome: "not-sent" });
    expect(sent).toEqual([]);
  });
});

describe("streams", () => {
  it("3: of Node are destroyed when the call ends before them", async () => {
    const { client } = recordingClient();
    const [first, second] = [stalled(), stalled()];
    await client.addPoaFiles({ path, body: { files: [png(first), png(second)] }, timeoutMs: 40 });
    expect([first.destroyed, second.destroyed]).toEqual([true, true]);
  });

  it("3: beyond the limit are read no further than one chunk", async () => {
    const { client, sent } = recordingClient();
    let read = 0;
    let ended = false;
    async function* large(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          read += mebibyte;
          yield new Uint8Array(mebibyte);
        }
      } finally {
        ended = true;
      }
    }
    const { error } = await client.addPoaFiles({ path, body: { files: [png(large())] }, retries: 2 });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(error?.message).toContain(`/files/0 is larger than ${limit} bytes`);
    expect({ read, sent, ended }).toEqual({ read: limit + mebibyte, sent: [], ended: true });
  });

  it("3: are not read when another file of the call is refused", async () => {
    const { client, sent } = recordingClient();
    const stream = Readable.from(["abc"]);
    const { error } = await client.addPoaFiles({
      path,
      body: { files: [png(stream), new Blob([new Uint8Array(limit + 1)])] },
    });
    expect(error?.kind).toBe("invalid-request");
    expect([stream.readableDidRead, sent]).toEqual([false, []]);
  });

  it("3: are read once and sent with every attempt", async () => {
    const { client, sent } = recordingClient({}, (attempt) =>
      attempt < 3 ? new Response("{}", { status: 429, headers: { "retry-after": "0" } }) : added(),
    );
    const { error } = await client.addKycFiles({
      path,
      body: { front_id: png(Readable.from([Buffer.from("fro"), Buffer.from("nt")])), selfie: new Blob(["selfie"]) },
      retries: 2,
    });
    expect(error).toBeUndefined();
    const texts = sent.map(({ form }) => Promise.all([...form.values()].map((file) => (file as File).text())));
    expect(await Promise.all(texts)).toEqual([
      ["front", "selfie"],
      ["front", "selfie"],
      ["front", "selfie"],
    ]);
  });

  it("that fail are an error with the cause, and nothing is sent", async () => {
    const { client, sent } = recordingClient();
    const data = createReadStream(join(tmpdir(), "no-such-folder", "canary.png"));
    const { error } = await client.addKycFiles({ path, body: { back_id: lateBy(30), selfie: png(data) } });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent", cause: { code: "ENOENT" } });
    expect(error?.message).toContain("/selfie could not be read");
    expect(sent).toEqual([]);
  });

  it("that were sent before are refused, instead of sending an empty file", async () => {
    const { client, sent } = recordingClient();
    const selfie = png(Readable.from(["selfie"]));
    expect((await client.addKycFiles({ path, body: { selfie } })).error).toBeUndefined();
    const { error } = await client.addKycFiles({ path, body: { selfie } });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(sent).toHaveLength(1);
  });

  it.each<[string, () => FileUpload]>([
    ["11k: in text mode", () => png(new PassThrough({ encoding: "utf8" }).end("x"))],
    ["11k: that give replaced characters", () => png(Readable.from(["\uFFFDPNG"]))],
    ["that give objects", () => png(Readable.from([{ bytes: "x" }]))],
  ])("%s are refused, because the file would be damaged", async (_name, open) => {
    const { client, sent } = recordingClient();
    const { error } = await client.addKycFiles({ path, body: { selfie: open() } });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(sent).toEqual([]);
  });
});

/** A file that takes its time. */
function lateBy(milliseconds: number): FileUpload {
  return png(
    (async function* () {
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      yield "late";
    })(),
  );
}

describe("what is sent", () => {
  it("2: is fixed when the function is called", async () => {
    const { client, sent } = recordingClient();
    const buffer: Uint8Array = new Uint8Array(1);
    const file = { data: buffer, name: "", type: "image/png" };
    const files = [new Blob(["first"]), file];
    const body = { files };
    const calls = [1, 2, 3].map((number) => {
      buffer[0] = number;
      file.name = `${number}.png`;
      return client.addPoaFiles({ path, body });
    });
    files.length = 0;
    body.files = [];
    await Promise.all(calls);
    const received = sent.map(async ({ form }) => {
      const [, second] = form.getAll("files") as File[];
      return [second?.name, ...new Uint8Array((await second?.arrayBuffer()) ?? [])];
    });
    expect((await Promise.all(received)).toSorted()).toEqual([
      ["1.png", 1],
      ["2.png", 2],
      ["3.png", 3],
    ]);
  });

  it.each([
    ["image/jpeg", "selfie.jpg"],
    ["image/png", "selfie.png"],
    ["application/pdf", "selfie.pdf"],
    ["image/webp", "selfie"],
  ])("11j: has a file name for a Blob of %s", async (type, name) => {
    const { client, sent } = recordingClient();
    await client.addKycFiles({ path, body: { selfie: new Blob(["x"], { type }) } });
    expect(sent.map(({ form }) => (form.get("selfie") as File).name)).toEqual([name]);
  });

  it("18: has the content type of the form, whatever the headers say", async () => {
    const headers = { "content-type": "application/json" };
    const { client, sent } = recordingClient({ headers });
    await client.addKycFiles({ path, body: { selfie: new Blob(["x"]) }, headers: { "Content-Type": "text/plain" } });
    expect(sent.map(({ contentType }) => contentType)).toEqual([
      expect.stringMatching(/^multipart\/form-data; boundary=/),
    ]);
  });

  it("arrives at a server as it was given", async () => {
    const received: [string | undefined, Buffer][] = [];
    const server = createServer(async (request, response) => {
      const chunks = await request.toArray();
      received.push([request.headers["content-type"], Buffer.concat(chunks)]);
      response.writeHead(201, { "content-type": "application/json" }).end("{}");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const client = createPartnerClient({ ...addresses, baseUrl: `http://127.0.0.1:${port}` });
    const content = Uint8Array.from({ length: limit }, (_, index) => index % 251);
    const { error } = await client.addPoaFiles({
      path,
      body: {
        files: [
          png(Readable.from([content.slice(0, 7), content.slice(7)]), 'quo"te\r\n.png'),
          new Blob([content]),
          png(Buffer.from(content)),
        ],
      },
    });
    server.closeAllConnections();
    server.close();
    expect(error).toBeUndefined();
    expect(received).toHaveLength(1);
    const [contentType = "", body = Buffer.of()] = received[0] ?? [];
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
    const files = form.getAll("files") as File[];
    expect(files.map(({ type }) => type)).toEqual(["image/png", "application/octet-stream", "image/png"]);
    for (const file of files) expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true);
  });
});

describe("bodies without a file that can be sent", () => {
  it.each<[string, unknown, string]>([
    ["none", undefined, "must be an object of files"],
    ["no part", {}, "The body has no file"],
    ["a path", { selfie: "selfie.png" }, "/selfie must be a File"],
    ["a promise", { selfie: Promise.resolve(new Blob([])) }, "Await the promise first"],
    ["a text that was read from a file", { selfie: png("\uFFFDPNG") }, "Read it as bytes"],
    ["an unknown part", { selfies: new Blob([]) }, 'no part "selfies"'],
    [
      "a part that cannot be read",
      { selfie: Object.defineProperty({}, "data", { get: () => stalled().read(-1).x }) },
      "/selfie",
    ],
  ])("%s", async (_name, body, reason) => {
    const { client, sent } = recordingClient();
    const { error } = await client.addKycFiles({ path, body: body as object });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(error?.message).toContain(reason);
    expect(sent).toEqual([]);
  });
});
