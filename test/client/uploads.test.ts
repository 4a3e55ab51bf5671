/** The files of an upload: what is copied when the call is made, and how streams are read, refused and cancelled. */
import { createReadStream } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidRequest } from "../../scripts/client/runtime/invalid-request.ts";
import { prepareUpload, type UploadRules } from "../../scripts/client/runtime/multipart.ts";

const rules = (maxBytes?: number, maxFiles?: number): UploadRules => ({
  parts: ["front", "files"],
  limits: {
    files: { ...(maxBytes === undefined ? {} : { maxBytes }), ...(maxFiles === undefined ? {} : { maxFiles }) },
  },
});
const png = (data: unknown, name = "a.png") => ({ data, name, type: "image/png" });
const bytes = (size: number, value = 1) => new Uint8Array(size).fill(value);

async function read(body: unknown, given = rules(), signal?: AbortSignal): Promise<FormData> {
  return (await prepareUpload(body, given).read(signal))();
}

/** The first file of a form. */
async function contentOf(form: FormData): Promise<Uint8Array> {
  const [first] = form.values();
  return new Uint8Array(await (first as File).arrayBuffer());
}

function problemOf(body: unknown, given = rules()): InvalidRequest {
  try {
    prepareUpload(body, given);
  } catch (error) {
    if (error instanceof InvalidRequest) return error;
    throw error;
  }
  throw new Error("The body was accepted.");
}

/** A stream that counts what is asked of it. */
class Spy implements AsyncIterableIterator<unknown> {
  pulled = 0;
  returned = 0;
  readonly #next: (index: number) => unknown;
  readonly #onReturn: () => unknown;

  constructor(next: (index: number) => unknown, onReturn: () => unknown = () => ({ done: true, value: undefined })) {
    this.#next = next;
    this.#onReturn = onReturn;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<unknown>> {
    const value = this.#next(this.pulled);
    this.pulled += 1;
    return (value instanceof Promise ? value : Promise.resolve({ done: value === undefined, value })) as never;
  }

  return(): Promise<IteratorResult<unknown>> {
    this.returned += 1;
    return this.#onReturn() as never;
  }
}

const never = new Promise<never>(() => undefined);
const aborts = (milliseconds: number): AbortSignal => AbortSignal.timeout(milliseconds);

describe("what is copied when the call is made", () => {
  const buffers: [string, () => [Uint8Array, unknown]][] = [
    ["a Uint8Array", () => [bytes(3), undefined]],
    ["a Buffer", () => [Buffer.from([1, 1, 1]), undefined]],
    ["an ArrayBuffer", () => copyOf((view) => view.buffer)],
    ["a part of an ArrayBuffer", () => copyOf((view) => new DataView(view.buffer, 0, 3))],
    ["a SharedArrayBuffer", () => [new Uint8Array(new SharedArrayBuffer(3)).fill(1), undefined]],
  ];
  const copyOf = (make: (view: Uint8Array) => unknown): [Uint8Array, unknown] => {
    const view = bytes(3);
    return [view, make(view)];
  };

  it.each(buffers)("2: %s that is used again keeps what is sent", async (_name, make) => {
    const [view, data = view] = make();
    const upload = prepareUpload({ front: png(data) }, rules());
    view.fill(9);
    expect([...(await contentOf((await upload.read(undefined))()))]).toEqual([1, 1, 1]);
  });

  it("2: files, names and types that change later are not sent", async () => {
    const file = png("first");
    const files = [file, new File(["second"], "b.pdf", { type: "application/pdf" })];
    const body: Record<string, unknown> = { files };
    const upload = prepareUpload(body, rules());
    file.name = "changed";
    file.type = "text/plain";
    files.length = 0;
    body.front = png("more");
    const form = (await upload.read(undefined))();
    expect([...form].map(([part, value]) => [part, (value as File).name, (value as File).type])).toEqual([
      ["files", "a.png", "image/png"],
      ["files", "b.pdf", "application/pdf"],
    ]);
  });

  it("reads each property once", () => {
    const reads: string[] = [];
    const watched = <T extends object>(target: T): T =>
      new Proxy(target, {
        get: (object, key) => {
          reads.push(String(key));
          return Reflect.get(object, key);
        },
      });
    prepareUpload(watched({ front: watched(png("x")) }), rules());
    expect(reads.filter((name) => ["front", "data", "name", "type"].includes(name)).toSorted()).toEqual([
      "data",
      "front",
      "name",
      "type",
    ]);
  });

  it("tells the names that the caller gave", () => {
    const files = [png("x", "one.png"), new File([], "two.png"), new Blob([])];
    expect(prepareUpload({ files, front: png("x", "f.png") }, rules()).names).toEqual({
      front: { name: "f.png" },
      files: [{ name: "one.png" }, { name: "two.png" }, {}],
    });
  });
});

describe("names of files", () => {
  it.each([
    ["image/jpeg", "front.jpg"],
    ["image/png", "front.png"],
    ["IMAGE/PNG", "front.png"],
    ["application/pdf", "front.pdf"],
    ["text/plain", "front"],
    ["constructor", "front"],
    ["", "front"],
  ])("11j: a Blob of type %j is sent as %s", async (type, name) => {
    for (const file of [new Blob(["x"], { type }), new File(["x"], "", { type }), { data: "x", name: "", type }]) {
      expect(((await read({ front: file })).get("front") as File).name).toBe(name);
    }
  });

  it.each([
    'quo"te.png',
    "line\r\nbreak.png",
    "x\r\n--boundary\r\n.png",
    "späť-文件.png",
    "../a.png",
    "\u0000",
    "\uD800",
  ])("a name such as %j stays in its place", async (name) => {
    const request = new Request("https://api.example", { method: "POST", body: await read({ front: png("x", name) }) });
    const entries = [...(await request.formData())];
    expect(entries.map(([part]) => part)).toEqual(["front"]);
    expect(await Promise.all(entries.map(([, file]) => (file as File).text()))).toEqual(["x"]);
  });

  it("a File of a subclass keeps what its members say", async () => {
    class Scan extends File {
      override get name(): string {
        return `scan-${super.name}`;
      }
    }
    const form = await read({ front: new Scan(["x"], "a.png", { type: "image/png" }) });
    expect((form.get("front") as File).name).toBe("scan-a.png");
  });
});

describe("bodies that are refused", () => {
  const trap = { get: () => { throw new Error("canary"); } }; // biome-ignore format: one line
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const detached = bytes(3);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  const throwing = (key: string) =>
    Object.defineProperty(png("x"), key, { get: () => { throw new Error("canary"); }, enumerable: true }); // biome-ignore format: one line

  it.each<[string, unknown, string]>([
    ["undefined", undefined, "object of files"],
    ["null", null, "object of files"],
    ["a text", "front", "object of files"],
    ["a function", () => undefined, "object of files"],
    ["no part", {}, "no file"],
    ["only absent parts", { front: undefined, files: [] }, "no file"],
    ["only absent files", { files: [undefined] }, "no file"],
    ["FormData", new FormData(), "no file"],
    ["a part that the contract does not know", { back: new Blob([]) }, 'no part "back"'],
    ["a part that is null", { front: null }, "/front must be"],
    ["a file that is null", { files: [png("x"), null] }, "/files/1 must be"],
    ["a file after an absent one", { files: [undefined, 5] }, "/files/1 must be"],
    ["a file after a hole", { files: Object.assign([], { 2: 5 }) }, "/files/2 must be"],
    ["a path", { front: "front.png" }, "/front must be"],
    ["bytes without a name", { front: bytes(3) }, "/front must be"],
    ["a stream without a name", { front: Readable.from(["x"]) }, "/front must be"],
    ["a list in a list", { files: [[png("x")]] }, "/files/0 must be"],
    ["a file without a type", { front: { data: "x", name: "a.png" } }, "/front must be"],
    ["a file whose name is a number", { front: { data: "x", name: 5, type: "image/png" } }, "/front must be"],
    ["data that is absent", { front: png(undefined) }, "/front must be"],
    ["data that is null", { front: png(null) }, "/front must be"],
    ["data that is a number", { front: png(5) }, "/front must be"],
    ["data that is a list of bytes", { front: png([bytes(3)]) }, "/front must be"],
    ["data that is a function", { front: png(() => bytes(3)) }, "/front must be"],
    ["a file that is a promise", { front: Promise.resolve(new Blob([])) }, "Await the promise"],
    ["data that is a promise", { front: png(Promise.resolve(bytes(3))) }, "Await the promise"],
    ["a text with a replaced character", { front: png("\uFFFDPNG") }, "/front was read as text"],
    ["a data URL", { front: png("data:image/png;base64,AAAA") }, "/front was read as text"],
    ["a stream in text mode", { front: png(new PassThrough({ encoding: "latin1" })) }, "/front was read as text"],
    ["a body whose members throw", new Proxy({}, { ownKeys: () => { throw new Error("canary"); } }), "cannot be read"], // biome-ignore format: one line
    ["a body that is a revoked proxy", revoked, "cannot be read"],
    ["a part whose member throws", { front: new Proxy({}, trap) }, "/front cannot be read"],
    ["a name that throws", { front: throwing("name") }, "/front cannot be read"],
    ["data that throws", { files: [throwing("data")] }, "/files/0 cannot be read"],
    ["a list that throws", { files: new Proxy([1], trap) }, "cannot be read"],
    ["an object that inherits from Blob", { front: Object.create(Blob.prototype) }, "/front cannot be read"],
    ["bytes that were transferred", { front: png(detached) }, "/front cannot be read"],
    ["bytes beyond the limit", { files: [png(bytes(11))] }, "/files/0 is larger than 10 bytes"],
    ["a text beyond the limit", { files: [png("ö".repeat(6))] }, "/files/0 is larger than 10 bytes"],
    ["a Blob beyond the limit", { files: [png("x"), new Blob([bytes(11)])] }, "/files/1 is larger than 10 bytes"],
    ["too many files", { files: [1, 2, 3, 4].map(() => png("x")) }, "at most 3 files"],
    ["very many files", { files: new Array(1_000_000).fill(png("x")) }, "at most 3 files"],
  ])("%s", (_name, body, reason) => {
    const { message } = problemOf(body, rules(10, 3));
    expect(message).toContain(reason);
    expect(message).not.toContain("canary");
  });

  it.each([
    ["Blob", new Blob(["x"])],
    ["File", new File(["x"], "a.png")],
  ])("or sent as they are: a proxy of a %s", async (_name, file) => {
    // It depends on the version of Node which of them can be read.
    const outcome = await read({ front: new Proxy(file, {}) }).then(
      async (form) => new TextDecoder().decode(await contentOf(form)),
      (error: Error) => error.message,
    );
    expect(["x", "/front cannot be read."]).toContain(outcome);
  });

  it("leave streams as they are", async () => {
    const stream = new Spy(() => bytes(1));
    const body = new PassThrough();
    problemOf({ front: png(stream), files: [png(body), new Blob([bytes(11)])] }, rules(10));
    expect([stream.pulled, stream.returned, body.destroyed]).toEqual([0, 0, false]);
  });

  it("do not name what a file is called or contains", () => {
    for (const file of [{ data: 5, name: "canary.png", type: "canary" }, png(bytes(11), "canary.png"), "canary"]) {
      expect(problemOf({ files: [file] }, rules(10)).message).not.toContain("canary");
    }
  });
});

describe("bodies that are sent", () => {
  it("have their parts in the order of the contract, and nothing absent", async () => {
    const body = { files: [undefined, png("2"), png("3")], front: new Blob(["1"]) };
    const form = await read(body, rules(10, 2));
    const texts = await Promise.all([...form].map(async ([part, file]) => [part, await (file as File).text()]));
    expect(texts).toEqual([
      ["front", "1"],
      ["files", "2"],
      ["files", "3"],
    ]);
  });

  it("have one form for each attempt", async () => {
    const makeForm = await prepareUpload({ front: png(Readable.from([bytes(3)])) }, rules()).read(undefined);
    expect(makeForm()).not.toBe(makeForm());
    for (const form of [makeForm(), makeForm()]) expect(await contentOf(form)).toEqual(bytes(3));
  });

  it("may have many files, also as streams", async () => {
    const files = Array.from({ length: 2_000 }, (_, index) =>
      index % 2 === 0 ? png(`${index}`) : png(Readable.from([`${index}`])),
    );
    const form = await read({ files });
    const texts = await Promise.all(form.getAll("files").map((file) => (file as File).text()));
    expect(texts).toEqual(files.map((_, index) => `${index}`));
  });
});

const asBytes = (chunk: unknown): Buffer =>
  typeof chunk === "string"
    ? Buffer.from(chunk)
    : ArrayBuffer.isView(chunk)
      ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      : Buffer.from(chunk as ArrayBuffer);

type Opener = (chunks: unknown[], onPull: (chunk: unknown) => void) => unknown;

async function* generate(chunks: unknown[], onPull: (chunk: unknown) => void): AsyncGenerator<unknown> {
  for (const chunk of chunks) {
    onPull(chunk);
    yield chunk;
  }
}

function toWeb(chunks: unknown[], onPull: (chunk: unknown) => void): ReadableStream {
  let index = 0;
  return new ReadableStream(
    {
      pull: (controller) => {
        if (index === chunks.length) return controller.close();
        const chunk = chunks[index++];
        onPull(chunk);
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
}

/** As in Safari. */
function withoutIterator(stream: ReadableStream): object {
  return { getReader: () => stream.getReader(), cancel: () => stream.cancel() };
}

const openers: [string, Opener][] = [
  ["an async generator", generate],
  ["an async iterable", (...given) => ({ [Symbol.asyncIterator]: () => generate(...given) })],
  ["a ReadableStream", toWeb],
  ["a ReadableStream that is not iterable", (...given) => withoutIterator(toWeb(...given))],
  ["a stream of Node in object mode", (...given) => Readable.from(generate(...given), { highWaterMark: 1 })],
];

describe.each(openers)("%s", (_name, open) => {
  const text = fc.string({ unit: "grapheme", maxLength: 40 }).filter((value) => !/\uFFFD|^data:/.test(value));
  const chunk = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.uint8Array({ maxLength: 60 }).map((array) => array.buffer),
    fc.uint8Array({ minLength: 8, maxLength: 60 }).map((array) => new DataView(array.buffer, 2, 5)),
    text,
  );
  // Node leaves out empty texts in object mode, and ends at null: chunks of no bytes are tested elsewhere.
  const chunks = fc.array(
    chunk.filter((value) => asBytes(value).length > 0),
    { minLength: 1, maxLength: 30 },
  );

  it("3: is sent as it is up to the limit, and read no further than one chunk beyond it", async () => {
    await fc.assert(
      fc.asyncProperty(chunks, fc.integer({ min: 0, max: 1_000 }), async (given, limit) => {
        const expected = Buffer.concat(given.map(asBytes));
        const pulled: unknown[] = [];
        const stream = open(given, (value) => pulled.push(value));
        const result = read({ files: [png(stream)] }, rules(limit));
        if (expected.length <= limit) {
          expect(Buffer.from(await contentOf(await result))).toEqual(expected);
          return;
        }
        await expect(result).rejects.toThrow(`/files/0 is larger than ${limit} bytes`);
        // A stream of Node reads ahead by its own buffer.
        const ahead = stream instanceof Readable ? 2 : 0;
        const within = pulled.slice(0, Math.max(0, pulled.length - 1 - ahead));
        expect(Buffer.concat(within.map(asBytes)).length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 150 },
    );
  });

  it("of many small chunks is read", async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => new Uint8Array([index, index >> 8]));
    const content = await contentOf(await read({ front: png(open(many, () => undefined)) }));
    expect(Buffer.concat(many).equals(content)).toBe(true);
  });

  it.each([
    ["a number", 5],
    ["an object", { data: "x" }],
    ["a list", [1, 2]],
  ])("is refused at a chunk that is %s", async (_kind, value) => {
    const stream = open([bytes(1), value], () => undefined);
    await expect(read({ front: png(stream) })).rejects.toThrow(/\/front gave a chunk that is no bytes/);
  });

  it("is refused at a chunk that was decoded", async () => {
    const stream = open(["\uFFFDPNG"], () => undefined);
    await expect(read({ front: png(stream) })).rejects.toThrow("/front was read as text");
  });

  it("without a byte is refused", async () => {
    await expect(read({ front: png(open([], () => undefined)) })).rejects.toThrow("/front is empty");
  });

  it("that is used twice in one call is refused, unless it can be read twice", async () => {
    const stream = open([bytes(3)], () => undefined);
    const result = read({ files: [png(stream), png(stream)] });
    if (_name === "an async iterable") expect((await result).getAll("files")).toHaveLength(2);
    else await expect(result).rejects.toThrow(/^\/files\/1 (is empty|could not be read)/);
  });

  it("that was read by an earlier call is refused, unless it can be read twice", async () => {
    const stream = open([bytes(3)], () => undefined);
    await read({ front: png(stream) });
    const result = read({ front: png(stream) });
    if (_name === "an async iterable") expect(await contentOf(await result)).toEqual(bytes(3));
    else await expect(result).rejects.toThrow(/^\/front (is empty|could not be read)/);
  });

  it("keeps its bytes when it fills the same buffer again", async () => {
    const buffer = bytes(2);
    let count = 0;
    const stream = open([buffer, buffer, buffer], () => buffer.fill(count++));
    if (stream instanceof Readable) return;
    expect([...(await contentOf(await read({ front: png(stream) })))]).toEqual([0, 0, 1, 1, 2, 2]);
  });
});

describe("streams that never end", () => {
  const stalled: [string, () => unknown][] = [
    ["stall", () => new Spy(() => never)],
    [
      "stall and ignore return()",
      () =>
        new Spy(
          () => never,
          () => never,
        ),
    ],
    ["stall and throw in return()", () => new Spy(() => never, () => { throw new Error("return"); })], // biome-ignore format: one line
    [
      "stall and reject in return()",
      () =>
        new Spy(
          () => never,
          () => Promise.reject(new Error("return")),
        ),
    ],
    ["stall and have no return()", () => ({ [Symbol.asyncIterator]: () => ({ next: () => never }) })],
    ["never wait", () => new Spy(() => bytes(1))],
    [
      "never wait, and ignore return()",
      () =>
        new Spy(
          () => bytes(1),
          () => never,
        ),
    ],
    ["give empty chunks without waiting", () => new Spy(() => bytes(0))],
    [
      "give a Blob that never settles",
      () => new Spy(() => Object.assign(new Blob(["x"]), { arrayBuffer: () => never })),
    ],
    ["are an async generator that stalls", () => (async function* () { yield bytes(1); await never; })()], // biome-ignore format: one line
    ["are a stalled stream of Node", () => new PassThrough().on("newListener", () => undefined)],
    ["are a stalled ReadableStream", () => new ReadableStream({ pull: () => never })],
    ["are a ReadableStream whose cancel stalls", () => new ReadableStream({ pull: () => never, cancel: () => never })],
    ["are a ReadableStream whose cancel fails", () => new ReadableStream({ pull: () => never, cancel: () => Promise.reject(new Error("cancel")) })], // biome-ignore format: one line
  ];

  it.each(stalled)("3: and %s end with the signal", async (_name, open) => {
    const signal = aborts(40);
    const error = await read({ front: png(open()) }, rules(), signal).catch((reason: unknown) => reason);
    expect(error).toBe(signal.reason);
  });

  it("3: are asked to return, and not read on", async () => {
    const controller = new AbortController();
    const first = new Spy(() => bytes(1));
    let opened = 0;
    const second = {
      [Symbol.asyncIterator]: () => {
        opened += 1;
        return new Spy(() => bytes(1));
      },
    };
    const result = read({ files: [png(first), png(second)] }, rules(), controller.signal).catch(() => "ended");
    setTimeout(() => controller.abort(), 40);
    expect(await result).toBe("ended");
    const { pulled } = first;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect([first.returned, first.pulled <= pulled + 1, opened]).toEqual([1, true, 0]);
  });

  it("3: of Node and the Web are destroyed, also those whose turn had not come", async () => {
    const streams = [new PassThrough(), new PassThrough()];
    const cancelled: string[] = [];
    const web = (name: string) =>
      new ReadableStream({ pull: () => never, cancel: (reason) => void cancelled.push(name, reason) });
    for (const files of [streams, [web("first"), web("second")]]) {
      await read({ files: files.map((data) => png(data)) }, rules(), aborts(20)).catch(() => undefined);
    }
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    expect(cancelled.filter((name) => name !== undefined)).toEqual(["first", "second"]);
  });

  it("3: are not opened when the signal has aborted before", async () => {
    const stream = new Spy(() => bytes(1));
    const reason = new Error("before");
    await expect(read({ front: png(stream) }, rules(), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(stream.pulled).toBe(0);
  });

  it("3: end at the limit, and are asked to return", async () => {
    const stream = new Spy(() => bytes(7));
    await expect(read({ files: [png(stream)] }, rules(20))).rejects.toThrow(InvalidRequest);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect([stream.pulled, stream.returned]).toEqual([3, 1]);
  });

  it("leave no listener at a signal that many calls share", async () => {
    let listeners = 0;
    const { signal } = new AbortController();
    const [add, remove] = [signal.addEventListener, signal.removeEventListener];
    signal.addEventListener = (...given: Parameters<typeof add>) => { listeners += 1; add.apply(signal, given); }; // biome-ignore format: one line
    signal.removeEventListener = (...given: Parameters<typeof remove>) => { listeners -= 1; remove.apply(signal, given); }; // biome-ignore format: one line
    await read({ front: png(Readable.from(["x"])) }, rules(), signal);
    await read({ front: png(Readable.from([])) }, rules(), signal).catch(() => undefined);
    expect(listeners).toBe(0);
  });
});

describe("streams that fail", () => {
  const failure = new Error("the disk is gone");
  const failing: [string, () => unknown, unknown][] = [
    ["reject", () => new Spy(() => Promise.reject(failure)), failure],
    ["throw in next()", () => new Spy(() => { throw failure; }), failure], // biome-ignore format: one line
    ["throw undefined", () => new Spy(() => Promise.reject(undefined)), undefined],
    ["throw when they are opened", () => ({ [Symbol.asyncIterator]: () => { throw failure; } }), failure], // biome-ignore format: one line
    ["open as nothing", () => ({ [Symbol.asyncIterator]: () => undefined }), expect.any(TypeError)],
    ["give no result", () => new Spy(() => Promise.resolve(undefined)), expect.any(TypeError)],
    ["are destroyed", () => new PassThrough().destroy(failure), expect.any(Error)],
    ["error", () => new ReadableStream({ pull: (controller) => controller.error(failure) }), failure],
    ["are locked", () => { const stream = new ReadableStream(); stream.getReader(); return stream; }, expect.any(TypeError)], // biome-ignore format: one line
  ];

  it.each(failing)("and %s are an invalid request with the cause", async (_name, open, cause) => {
    const error: unknown = await read({ front: png(open()) }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InvalidRequest);
    expect((error as InvalidRequest).message).toBe("/front could not be read.");
    expect((error as InvalidRequest).cause).toEqual(cause);
  });

  it("3: before their turn do not end the process", async () => {
    const missing = createReadStream(join(tmpdir(), "no-such-folder", "a.png"));
    const slow = (async function* () {
      await new Promise((resolve) => setTimeout(resolve, 50));
      yield bytes(1);
    })();
    const error: unknown = await read({ files: [png(slow), png(missing)] }).catch((reason: unknown) => reason);
    expect(String(error)).toContain("/files/1 could not be read.");
    expect((error as InvalidRequest).cause).toMatchObject({ code: "ENOENT" });
  });

  it("3: because of the same signal are told as aborted", async () => {
    const controller = new AbortController();
    const stream = new Spy(
      () => new Promise((_, reject) => controller.signal.addEventListener("abort", () => reject(failure))),
    );
    const result = read({ front: png(stream) }, rules(), controller.signal).catch((reason: unknown) => reason);
    await Promise.resolve();
    controller.abort("enough");
    expect(await result).toBe("enough");
  });
});
