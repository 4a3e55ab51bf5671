import { createReadStream } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import fc from "fast-check";
import { createPartnerClient, type FileUpload } from "partner-wallet-api";
import { describe, expect, it, vi } from "vitest";
import { clientWith, jsonResponse, serveOnLoopback } from "./support.ts";

type Data = Extract<FileUpload, { data: unknown }>["data"];

const path = { externalUserId: "user-1042" };
const limit = 5 * 2 ** 20;
const respondAdded = () => jsonResponse(201, { message: "added" });
const openMissingFile = () => createReadStream(join(tmpdir(), "no-such-folder", "canary.png"));
const bytesOf = (size: number, value = 1) => new Uint8Array(size).fill(value);
const pngUpload = (data: unknown, name = "a.png") => ({ data: data as Data, name, type: "image/png" });

function recordingClient(response: (attempt: number) => Response = respondAdded, headers: Record<string, string> = {}) {
  const sentForms: { form: FormData; contentType: string | null }[] = [];
  const client = clientWith(
    async (request) => {
      sentForms.push({ contentType: request.headers.get("content-type"), form: await request.formData() });
      return response(sentForms.length);
    },
    { headers },
  );
  return { client, sentForms };
}

async function upload(files: unknown, options: object = {}) {
  const { client, sentForms } = recordingClient();
  const { error } = await client.addPoaFiles({ path, body: { files: files as FileUpload[] }, ...options });
  return { error, sentForms, files: (sentForms[0]?.form.getAll("files") ?? []) as File[] };
}

const contentOf = async (file: File | undefined) => Buffer.from((await file?.arrayBuffer()) ?? new ArrayBuffer());

describe("an upload", () => {
  it("is refused where FormData is not that of fetch, as under jsdom", async () => {
    vi.stubGlobal("FormData", class {});
    const { error, sentForms } = await upload([pngUpload(bytesOf(10))]);
    vi.unstubAllGlobals();
    expect([error?.outcome, sentForms]).toEqual(["not-sent", []]);
    expect(error?.message).toContain("not in jsdom");
  });

  it("is not passed to fetch when it is aborted while its form is converted", async () => {
    const controller = new AbortController();
    const { blob } = Response.prototype;
    vi.spyOn(Response.prototype, "blob").mockImplementation(function (this: Response) {
      controller.abort();
      return blob.call(this);
    });
    const { error, sentForms } = await upload([pngUpload(bytesOf(10))], { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 20));
    vi.restoreAllMocks();
    expect([error?.kind, error?.outcome, sentForms]).toEqual(["aborted", "not-sent", []]);
  });

  it("is fixed when the function is called", async () => {
    const { client, sentForms } = recordingClient();
    const buffer: Uint8Array = new Uint8Array(1);
    const file = { data: buffer as Data, name: "", type: "image/png" };
    const files: FileUpload[] = [new Blob(["first"]), file];
    const body = { files };
    const calls = [1, 2, 3].map((number) => {
      buffer[0] = number;
      file.name = `${number}.png`;
      return client.addPoaFiles({ path, body });
    });
    files.length = 0;
    body.files = [];
    await Promise.all(calls);
    const receivedForms = sentForms.map(async ({ form }) => {
      const [, second] = form.getAll("files") as File[];
      return [second?.name, ...(await contentOf(second))];
    });
    expect((await Promise.all(receivedForms)).toSorted()).toEqual([
      ["1.png", 1],
      ["2.png", 2],
      ["3.png", 3],
    ]);
  });

  it.each<[string, (view: Uint8Array<ArrayBuffer>) => unknown]>([
    ["a Buffer", (view) => Buffer.from(view.buffer)],
    ["an ArrayBuffer", (view) => view.buffer],
    ["a part of an ArrayBuffer", (view) => new DataView(view.buffer, 0, 3)],
  ])("keeps its content when %s is reused", async (_name, toData) => {
    const view = bytesOf(3);
    const sentUpload = upload([pngUpload(toData(view))]);
    view.fill(9);
    expect([...(await contentOf((await sentUpload).files[0]))]).toEqual([1, 1, 1]);
  });

  it("has the parts that are given, in the order of the contract", async () => {
    const { client, sentForms } = recordingClient();
    const body = {
      selfie: pngUpload("2", "me.png"),
      back_id: undefined,
      front_id: new File(["1"], "f.pdf", { type: "x/y" }),
    };
    await client.addKycFiles({ path, body: body as object });
    expect(
      [...(sentForms[0]?.form ?? [])].map(([part, file]) => [part, (file as File).name, (file as File).type]),
    ).toEqual([
      ["front_id", "f.pdf", "x/y"],
      ["selfie", "me.png", "image/png"],
    ]);
    const { files } = await upload([undefined, pngUpload("2"), pngUpload("3")]);
    expect(await Promise.all(files.map((file) => file.text()))).toEqual(["2", "3"]);
  });

  it.each([
    ["image/jpeg", "files.jpg"],
    ["image/png", "files.png"],
    ["IMAGE/PNG", "files.png"],
    ["application/pdf", "files.pdf"],
    ["image/webp", "files"],
    ["constructor", "files"],
    ["", "files"],
  ])("has a file name for a file of type %j", async (type, name) => {
    const unnamedFiles = [new Blob(["x"], { type }), new File(["x"], "", { type }), { data: "x", name: "", type }];
    expect((await upload(unnamedFiles)).files.map((file) => file.name)).toEqual([name, name, name]);
  });

  it.each([
    'quo"te.png',
    "line\r\nbreak.png",
    "x\r\n--boundary\r\n.png",
    "späť-文件.png",
    "../a.png",
    "\u0000",
    "\uD800",
  ])("replaces a name such as %j", async (name) => {
    const { files, sentForms } = await upload([pngUpload("x", name)]);
    expect([...(sentForms[0]?.form.keys() ?? [])]).toEqual(["files"]);
    expect(await files[0]?.text()).toBe("x");
  });

  it("has the content type of the form, whatever the headers say", async () => {
    const { client, sentForms } = recordingClient(respondAdded, { "content-type": "application/json" });
    await client.addKycFiles({ path, body: { selfie: new Blob(["x"]) }, headers: { "Content-Type": "text/plain" } });
    expect(sentForms[0]?.contentType).toMatch(/^multipart\/form-data; boundary=/);
  });

  it("arrives unchanged at a server", async () => {
    const receivedParts: [string | undefined, Buffer][] = [];
    const server = await serveOnLoopback(async (request, response) => {
      const chunks = await request.toArray();
      receivedParts.push([request.headers["content-type"], Buffer.concat(chunks)]);
      response.writeHead(201, { "content-type": "application/json" }).end('{"message":"added"}');
    });
    const content = Uint8Array.from({ length: limit }, (_, index) => index % 251);
    const files = [
      pngUpload(Readable.from([content.slice(0, 7), new Blob([content.slice(7)])]), 'quo"te\r\n.png'),
      new Blob([content]),
      pngUpload(Buffer.from(content)),
    ];
    const client = createPartnerClient({ baseUrl: server.url, apiKey: "key-4711" });
    const { error } = await client.addPoaFiles({ path, body: { files } });
    await server.close();
    expect([error, receivedParts.length]).toEqual([undefined, 1]);
    const [contentType = "", body = Buffer.of()] = receivedParts[0] ?? [];
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
    const receivedFiles = form.getAll("files") as File[];
    expect(receivedFiles.map(({ type }) => type)).toEqual(["image/png", "application/octet-stream", "image/png"]);
    for (const file of receivedFiles) expect((await contentOf(file)).equals(content)).toBe(true);
  });
});

describe("an upload is refused:", () => {
  const trapProxy = new Proxy({}, { get: () => { throw new Error("canary"); } }); // biome-ignore format: one line
  const { proxy: revokedProxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const detachedBytes = bytesOf(3);
  structuredClone(detachedBytes.buffer, { transfer: [detachedBytes.buffer] });
  const fileThrowingAt = (key: string) =>
    Object.defineProperty(pngUpload("x"), key, { get: () => { throw new Error("canary"); }, enumerable: true }); // biome-ignore format: one line
  const bodyOf = (...files: unknown[]) => ({ files });

  it.each<[string, unknown, string]>([
    ["undefined", undefined, "object of files"],
    ["null", null, "object of files"],
    ["no part", {}, "no file"],
    ["only absent files", bodyOf(undefined), "no file"],
    ["FormData", new FormData(), "no file"],
    ["a part that the contract does not know", { back: new Blob([]) }, 'no part "back"'],
    ["a part that is null", { files: null }, "/files must be"],
    ["a file that is null", bodyOf(pngUpload("x"), null), "/files/1 must be"],
    ["a file after an absent one", bodyOf(undefined, 5), "/files/1 must be"],
    ["a file after a hole", { files: Object.assign([], { 2: 5 }) }, "/files/2 must be"],
    ["a path", bodyOf("front.png"), "/files/0 must be"],
    ["bytes without a name", bodyOf(bytesOf(3)), "/files/0 must be"],
    ["a file without a type", bodyOf({ data: "x", name: "a.png" }), "/files/0 must be"],
    ["a file whose name is a number", bodyOf({ data: "x", name: 5, type: "image/png" }), "/files/0 must be"],
    ...[undefined, null, 5, [bytesOf(3)], () => bytesOf(3)].map((data): [string, unknown, string] => [
      `data that is ${data}`,
      bodyOf(pngUpload(data)),
      "/files/0 must be",
    ]),
    ["a file that is a promise", bodyOf(Promise.resolve(new Blob([]))), "Await the promise"],
    ["data that is a promise", bodyOf(pngUpload(Promise.resolve(bytesOf(3)))), "Await the promise"],
    ["a text with a replaced character", bodyOf(pngUpload("\uFFFDPNG")), "/files/0 was read as text"],
    ["an empty Blob", bodyOf(new Blob([], { type: "image/png" })), "/files/0 is empty"],
    ["the base64 text of an image", bodyOf(pngUpload("iVBORw0KGgo=")), "/files/0 is base64"],
    ["a data URL", bodyOf(pngUpload("data:image/png;base64,AAAA")), "/files/0 was read as text"],
    ["a stream in text mode", bodyOf(pngUpload(new PassThrough({ encoding: "latin1" }))), "/files/0 was read as text"],
    ["a body whose members throw", new Proxy({}, { ownKeys: () => { throw new Error("canary"); } }), "cannot be read"], // biome-ignore format: one line
    ["a body that is a revoked proxy", revokedProxy, "cannot be read"],
    ["a file whose member throws", bodyOf(trapProxy), "/files/0 cannot be read"],
    ["a name that throws", bodyOf(fileThrowingAt("name")), "/files/0 cannot be read"],
    ["an object that inherits from Blob", bodyOf(Object.create(Blob.prototype)), "/files/0 cannot be read"],
    ["bytes that were transferred", bodyOf(pngUpload(detachedBytes)), "/files/0 cannot be read"],
    ["bytes beyond the limit", bodyOf(pngUpload(bytesOf(limit + 1))), `/files/0 is larger than ${limit} bytes`],
    ["a text beyond the limit", bodyOf(pngUpload("ö".repeat(limit / 2 + 1), "canary.png")), "/files/0 is larger than"],
    ["a Blob beyond the limit", bodyOf(pngUpload("x"), new Blob([bytesOf(limit + 1)])), "/files/1 is larger than"],
    ["too many files", { files: new Array(1_000).fill(pngUpload("x")) }, "at most 3 files"],
  ])("%s", async (_name, body, reason) => {
    const { client, sentForms } = recordingClient();
    const { error } = await client.addPoaFiles({ path, body: body as never });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(error?.message).toContain(reason);
    expect(error?.message.includes("Await the promise")).toBe(reason === "Await the promise");
    expect(error?.message).not.toContain("canary");
    expect(sentForms).toEqual([]);
  });

  it("without reading or destroying its streams", async () => {
    const stream = Readable.from(["abc"]);
    const { error } = await upload([pngUpload(stream), new Blob([bytesOf(limit + 1)])]);
    expect([error?.kind, stream.readableDidRead, stream.destroyed]).toEqual(["invalid-request", false, false]);
  });
});

type Opener = (chunks: unknown[], onPull: (chunk: unknown) => void) => unknown;

async function* generate(chunks: unknown[], onPull: (chunk: unknown) => void): AsyncGenerator<unknown> {
  for (const chunk of chunks) {
    onPull(chunk);
    yield chunk;
  }
}

const openWebStream: Opener = (...openerArguments) => {
  const source = generate(...openerArguments);
  const pull = async (controller: ReadableStreamDefaultController) => {
    const { done, value } = await source.next();
    if (done) controller.close();
    else controller.enqueue(value);
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
};

/** A stream without an async iterator, as in older versions of Safari. */
const openWithoutIterator: Opener = (...openerArguments) => {
  const stream = openWebStream(...openerArguments) as ReadableStream;
  return { getReader: () => stream.getReader(), cancel: () => stream.cancel() };
};

const openers: [string, Opener][] = [
  ["an async generator", generate],
  ["an async iterable", (...openerArguments) => ({ [Symbol.asyncIterator]: () => generate(...openerArguments) })],
  ["a ReadableStream", openWebStream],
  ["a ReadableStream that is not iterable", openWithoutIterator],
  [
    "a stream of Node in object mode",
    (...openerArguments) => Readable.from(generate(...openerArguments), { highWaterMark: 1 }),
  ],
];

describe.each(openers)("%s", (name, open) => {
  const asBytes = (chunk: unknown): Buffer =>
    ArrayBuffer.isView(chunk)
      ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      : Buffer.from(chunk as ArrayBuffer);
  const text = fc.string({ unit: "grapheme", maxLength: 40 }).filter((value) => !/\uFFFD|^data:/.test(value));
  const array = fc.uint8Array({ maxLength: 60 });
  const view = fc.uint8Array({ minLength: 8, maxLength: 60 }).map(({ buffer }) => new DataView(buffer, 2, 5));
  const chunk = fc.oneof(array, array.map(({ buffer }) => buffer), view, text); // biome-ignore format: one line
  // No chunk is empty, because an upload without content is refused.
  const chunks = fc.array(chunk.filter((value) => asBytes(value).length > 0), { minLength: 1, maxLength: 30 }); // biome-ignore format: one line

  it("is sent unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(chunks, async (givenChunks) => {
        const { files } = await upload([pngUpload(open(givenChunks, () => undefined))]);
        expect(await contentOf(files[0])).toEqual(Buffer.concat(givenChunks.map(asBytes)));
      }),
      { numRuns: 50 },
    );
  });

  it("is read at most one chunk beyond the limit", async () => {
    let pullCount = 0;
    const endlessChunks = Array.from({ length: 40 }, () => bytesOf(2 ** 20));
    const { error, sentForms } = await upload([pngUpload(open(endlessChunks, () => (pullCount += 1)))], { retries: 2 });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(error?.message).toContain(`/files/0 is larger than ${limit} bytes`);
    // A Node stream reads ahead, up to the size of its buffer.
    expect([sentForms.length, pullCount <= (name.includes("Node") ? 8 : 6)]).toEqual([0, true]);
  });

  it.each<[string, unknown[], string]>([
    ["that is a number", [bytesOf(1), 5], "gave a chunk that is no bytes"],
    ["that is an object", [bytesOf(1), { data: "x" }], "gave a chunk that is no bytes"],
    ["that was decoded", ["\uFFFDPNG"], "was read as text"],
    ["that is missing", [], "is empty"],
  ])("is refused with a chunk %s", async (_name, givenChunks, reason) => {
    const { error, sentForms } = await upload([pngUpload(open(givenChunks, () => undefined))]);
    expect(error?.message).toContain(`/files/0 ${reason}`);
    expect(sentForms).toEqual([]);
  });

  it("is refused when it is used twice, unless it can be read twice", async () => {
    const stream = pngUpload(open([bytesOf(3)], () => undefined));
    const isRepeatable = name === "an async iterable";
    const uploadedTwice = await upload([stream, stream]);
    expect(uploadedTwice.files).toHaveLength(isRepeatable ? 2 : 0);
    const { error } = await upload([stream]);
    expect(error?.message ?? "sent").toMatch(isRepeatable ? /^sent$/ : /\/files\/0 (is empty|could not be read)/);
  });

  it("is sent without its empty chunks", async () => {
    const { files } = await upload([pngUpload(open([bytesOf(0), bytesOf(2), bytesOf(0)], () => undefined))]);
    expect([...(await contentOf(files[0]))]).toEqual([1, 1]);
  });

  it("keeps its bytes when it reuses one buffer for many chunks", async () => {
    const buffer = bytesOf(2);
    let count = 0;
    const distinctChunks = name.includes("Node")
      ? Array.from({ length: 20_000 }, (_, index) => bytesOf(2, index))
      : undefined;
    const stream = open(
      distinctChunks ?? Array.from({ length: 20_000 }, () => buffer),
      () => distinctChunks ?? buffer.fill(count++),
    );
    const content = await contentOf((await upload([pngUpload(stream)])).files[0]);
    expect([content.length, content[3], content[511], content[39_999]]).toEqual([40_000, 1, 255, 19_999 % 256]);
  });
});

describe("a stream that never ends", () => {
  const pendingPromise = new Promise<never>(() => undefined);
  const makeIterable = (next: () => unknown, end?: () => unknown) => ({
    [Symbol.asyncIterator]: () => ({ next: async () => next(), ...(end === undefined ? {} : { return: end }) }),
  });
  const nextChunk = { done: false, value: "" };
  const stalledStreams: [string, () => unknown][] = [
    ["stalls", () => new PassThrough().on("newListener", () => undefined)],
    ["stalls as a ReadableStream", () => new ReadableStream({ pull: () => pendingPromise })],
    [
      "stalls, and so does its cancel()",
      () => new ReadableStream({ pull: () => pendingPromise, cancel: () => pendingPromise }),
    ],
    ["stalls, and whose cancel() fails", () => new ReadableStream({ pull: () => pendingPromise, cancel: () => Promise.reject(new Error("x")) })], // biome-ignore format: one line
    ["stalls and ignores return()", () => makeIterable(() => pendingPromise, () => pendingPromise)], // biome-ignore format: one line
    ["stalls and throws in return()", () => makeIterable(() => pendingPromise, () => { throw new Error("return"); })], // biome-ignore format: one line
    ["stalls and rejects in return()", () => makeIterable(() => pendingPromise, () => Promise.reject(new Error("return")))], // biome-ignore format: one line
    ["stalls and has no return()", () => makeIterable(() => pendingPromise)],
    ["never waits, and ignores return()", () => makeIterable(() => nextChunk, () => pendingPromise)], // biome-ignore format: one line
    ["stalls in a generator", async function* () { yield "x"; await pendingPromise; }], // biome-ignore format: one line
    ["gives a Blob that never settles", () => makeIterable(() => ({ done: false, value: Object.assign(new Blob(["x"]), { arrayBuffer: () => pendingPromise }) }))], // biome-ignore format: one line
  ];

  // This test is the first of its group, because work that the others leave behind would delay it.
  it("is not read after the call has ended, even when it yields only empty chunks", async () => {
    let readCount = 0;
    const emptyIterable = makeIterable(async () => {
      readCount += 1;
      await new Promise((resolve) => setTimeout(resolve, 1));
      return { done: false, value: bytesOf(0) };
    });
    await upload([pngUpload(emptyIterable)], { timeoutMs: 30 });
    const countBefore = readCount;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(readCount - countBefore).toBeLessThanOrEqual(1);
  });

  it.each(stalledStreams)("and %s ends at the timeout or the signal, and nothing is sent", async (_name, open) => {
    const timedOutUpload = await upload([pngUpload("a"), pngUpload(open())], { timeoutMs: 40, retries: 2 });
    expect(timedOutUpload.error).toMatchObject({ kind: "timeout", outcome: "not-sent", status: undefined });
    const abortedUpload = await upload([pngUpload(open())], { signal: AbortSignal.timeout(20), retries: 2 });
    expect(abortedUpload.error).toMatchObject({ kind: "aborted", outcome: "not-sent" });
    expect([timedOutUpload.sentForms, abortedUpload.sentForms]).toEqual([[], []]);
  });

  it("is destroyed when the call ends first; a later stream is not opened", async () => {
    const nodeStreams = [new PassThrough(), new PassThrough()];
    const cancelled: string[] = [];
    const openWebStream = (name: string) =>
      new ReadableStream({ pull: () => pendingPromise, cancel: () => void cancelled.push(name) });
    let openCount = 0;
    const lastIterable = { [Symbol.asyncIterator]: () => makeIterable(() => (openCount += 1))[Symbol.asyncIterator]() };
    await upload(
      [...nodeStreams, lastIterable].map((data) => pngUpload(data)),
      { timeoutMs: 20 },
    );
    await upload(
      [openWebStream("first"), openWebStream("second")].map((data) => pngUpload(data)),
      { timeoutMs: 20 },
    );
    expect([nodeStreams.map(({ destroyed }) => destroyed), cancelled, openCount]).toEqual([
      [true, true],
      ["first", "second"],
      0,
    ]);
  });

  it("has its return() called at the limit", async () => {
    let returnCount = 0;
    const largeIterable = makeIterable(() => ({ done: false, value: bytesOf(limit) }), () => (returnCount += 1)); // biome-ignore format: one line
    expect((await upload([pngUpload(largeIterable)])).error?.kind).toBe("invalid-request");
    expect(returnCount).toBe(1);
  });
});

describe("a stream that fails", () => {
  const failure = new Error("the disk is gone");
  const fail = () => { throw failure; }; // biome-ignore format: one line
  it.each<[string, () => unknown]>([
    ["rejects", () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failure) }) })],
    ["throws when it is opened", () => ({ [Symbol.asyncIterator]: fail })],
    ["opens as nothing", () => ({ [Symbol.asyncIterator]: () => undefined })],
    ["gives no result", () => ({ [Symbol.asyncIterator]: () => ({ next: async () => undefined }) })],
    ["is destroyed", () => new PassThrough().destroy(failure)],
    ["errors", () => new ReadableStream({ pull: (controller) => controller.error(failure) })],
    ["is locked", () => { const stream = new ReadableStream(); stream.getReader(); return stream; }], // biome-ignore format: one line
  ])("and %s is an error with the cause, and nothing is sent", async (_name, open) => {
    const { error, sentForms } = await upload([pngUpload(open())]);
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent", cause: expect.any(Error) });
    expect(error?.message).toContain("/files/0 could not be read");
    expect(sentForms).toEqual([]);
  });

  it("before it is read does not end the process", async () => {
    const slowStream = (async function* () {
      await new Promise((resolve) => setTimeout(resolve, 50));
      yield bytesOf(1);
    })();
    const { error } = await upload([pngUpload(slowStream), pngUpload(openMissingFile(), "canary.png")]);
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent", cause: { code: "ENOENT" } });
    expect(error?.message).toContain("/files/1 could not be read");
  });
});

it("a stream is read once and sent with every attempt", async () => {
  const { client, sentForms } = recordingClient((attempt) =>
    attempt < 3 ? jsonResponse(429, {}, { "retry-after": "0" }) : respondAdded(),
  );
  const front_id = pngUpload(Readable.from([Buffer.from("fro"), Buffer.from("nt")]));
  const { error } = await client.addKycFiles({ path, body: { front_id, selfie: new Blob(["selfie"]) }, retries: 2 });
  expect(error).toBeUndefined();
  const texts = sentForms.map(({ form }) => Promise.all([...form.values()].map((file) => (file as File).text())));
  expect(await Promise.all(texts)).toEqual(Array(3).fill(["front", "selfie"]));
});
