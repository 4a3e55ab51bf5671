/** Redaction of texts and causes on its own: many values, encodings and hostile inputs. */
import { inspect } from "node:util";
import { createContext, runInContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sensitiveNames } from "../../generated/client/sensitive-names.ts";
import { createRedactor, redactCause } from "../../scripts/client/runtime/redaction.ts";

const apiKey = "canary-key-5f2a";
const mask = "[redacted]";

/** The redaction of a call with this body. */
function redactorOf(body: unknown) {
  return createRedactor(sensitiveNames, () => ({ apiKey, values: { path: {}, query: {}, body } }));
}

const jsonInner = (text: string) => JSON.stringify(text).slice(1, -1);
const json = {
  JSON: jsonInner,
  "JSON in ASCII": (text: string) =>
    jsonInner(text).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "JSON safe in HTML": (text: string) =>
    jsonInner(text).replace(
      /[&'<=>]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`,
    ),
  "JSON with escaped slashes": (text: string) => jsonInner(text).replaceAll("/", "\\/"),
};
const names: Record<string, string> = {
  '"': "quot",
  "&": "amp",
  "<": "lt",
  ">": "gt",
  "'": "apos",
  ß: "szlig",
  ö: "ouml",
};
const html = {
  "HTML with names": (text: string) => text.replace(/["&<>'ßö]/g, (character) => `&${names[character]};`),
  "HTML with numbers": (text: string) => text.replace(/[^a-z\d]/giu, (character) => `&#${character.codePointAt(0)};`),
  "HTML with hexadecimal numbers": (text: string) =>
    text.replace(/[^a-z\d ]/giu, (character) => `&#x${character.codePointAt(0)?.toString(16)};`),
  "HTML with two digits": (text: string) => text.replace(/['"]/g, (quote) => `&#0${quote.charCodeAt(0)};`),
};
const percent = {
  "a URI component": encodeURIComponent,
  "a URI component in lower case": (text: string) =>
    encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase()),
  "form data": (text: string) => new URLSearchParams({ "": text }).toString().slice(1),
};
const encoders: Record<string, (text: string) => string> = {
  "plain text": (text) => text,
  "upper case": (text) => text.toUpperCase(),
  "lower case": (text) => text.toLowerCase(),
  ...json,
  ...html,
  ...percent,
  "JSON in JSON": (text) => jsonInner(jsonInner(text)),
  "JSON in JSON in JSON": (text) => jsonInner(jsonInner(jsonInner(text))),
  "ASCII JSON in JSON": (text) => jsonInner(json["JSON in ASCII"](text)),
  "JSON in HTML": (text) => html["HTML with names"](jsonInner(text)),
  "HTML in JSON": (text) => jsonInner(html["HTML with names"](text)),
  "HTML in HTML": (text) => html["HTML with names"](html["HTML with names"](text)),
  "a URI component in a URI component": (text) => encodeURIComponent(encodeURIComponent(text)),
  "a URI component in JSON": (text) => jsonInner(encodeURIComponent(text)),
};

/** Characters that encoders change, with those that do not. */
const character = fc.constantFrom(...("aZ059 \"'\\/<>&;#%+=@.-_:,{}\n\tßöÖéŁж李😀u".match(/./gsu) as string[]));
const anyText = fc.oneof(
  fc.string({ unit: character, maxLength: 80 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 40 }),
);

/** What is searched of a value. */
const searched = (value: string) => value.replace(/^[\s\\]+/, "").trimEnd();

/** A value that is long enough to be found everywhere. A bracket may join a mask to a new value. */
const longValue = fc
  .oneof(fc.string({ unit: character, minLength: 4, maxLength: 90 }), fc.string({ unit: "grapheme", minLength: 4 }))
  .filter((value) => searched(value).length >= 4 && !/[\ud800-\udfff]/u.test(value) && !/[[\]]/.test(value))
  .filter((value) => !mask.includes(searched(value).toLowerCase()));

describe("a value of at least 4 characters", () => {
  it.each(Object.entries(encoders))("is not found in a text that holds it as %s", (_name, encode) => {
    fc.assert(
      fc.property(longValue, anyText, anyText, (value, before, after) => {
        const encoded = encode(value.trim());
        const redacted = redactorOf({ email: value })(before + encoded + after);
        expect(redacted).not.toContain(encoded);
        expect(redacted.toLowerCase()).not.toContain(value.trim().toLowerCase());
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ["a card number in groups", "4242424242424242", "card 4242 4242 4242 4242 refused", "card [redacted] refused"],
    ["a card number with hyphens", "4242424242424242", "4242-4242-4242-4242", mask],
    ["a card number in a query", "4242424242424242", "?card=4242+4242%204242%2d4242&x", "?card=[redacted]&x"],
    ["a card number in a page", "4242424242424242", "4242&nbsp;4242&#32;4242&#x20;4242", mask],
    ["a card number that was sent in groups", "4242 4242 4242 4242", "4242424242424242", mask],
    ["an IBAN in groups", "DE89370400440532013000", "DE89 3704 0044 0532 0130 00", mask],
    ["an IBAN in lower case", "DE89 3704 0044 0532 0130 00", "de89370400440532013000", mask],
    ["a phone number in groups", "447700900123", "+44 7700 900123.", "+[redacted]."],
    ["an address in upper case", "Müllerstraße 5", "MÜLLERSTRASSE 5", mask],
    ["a name of two characters", "李明", "user 李明 exists", "user [redacted] exists"],
    ["a number", 1234567, "no 1234567!", "no [redacted]!"],
    ["blanks around it", "  Lena Vogel\n", "for Lena Vogel.", "for [redacted]."],
    ["brackets in it", "a[b]c", "x a[b]c y", "x [redacted] y"],
  ])("is found as %s", (_name, value, text, expected) => {
    expect(redactorOf({ email: value })(text)).toBe(expected);
  });

  it("is found at any depth below a sensitive name, and nowhere else", () => {
    const redact = redactorOf({ label: "Groceries", files: [{ name: "lena.png" }], wallet: { of: ["Vogel"] } });
    expect(redact("Groceries, lena.png and Vogel")).toBe("Groceries, [redacted] and [redacted]");
  });

  it("is removed as a whole where it begins with another value", () => {
    expect(redactorOf({ firstName: "Lena", lastName: "Lena Vogel" })("Lena Vogel, Lena")).toBe(
      "[redacted], [redacted]",
    );
  });

  it("is removed as far as a service gives it back", () => {
    const value = "Musterstraße 5, Hinterhaus, zweiter Aufgang links, bei Vogel";
    expect(redactorOf({ street: value })(`"${value.slice(0, 40)}..."`)).toBe(`"${mask}${value.slice(32, 40)}..."`);
  });

  it.each([1_024, 1_025, 5_000, 1_000_000])("is removed when it has %i characters", (length) => {
    const value = "Straße ".repeat(length).slice(0, length);
    const redacted = redactorOf({ street: value })(`before ${value}`);
    expect(redacted).not.toContain("Straße");
  });
});

describe("a shorter value", () => {
  const short = fc.oneof(fc.stringMatching(/^[a-zA-Z\d./-]{1,3}$/), fc.integer({ min: 0, max: 999 }));

  it("changes nothing where it does not stand behind a sensitive name", () => {
    fc.assert(
      fc.property(fc.array(short, { maxLength: 4 }), fc.array(anyText), (values, texts) => {
        const text = texts.flatMap((part, index) => [part, String(values[index] ?? "")]).join("");
        fc.pre(!sensitiveNames.some((name) => text.toLowerCase().includes(name.toLowerCase())));
        expect(redactorOf({ number: values })(text)).toBe(text);
      }),
    );
  });

  it.each([
    ['{"number": 45}', '{"number": "[redacted]"}'],
    ["number=45&x", "number=[redacted]&x"],
    ["number: 45, status 45", "number: [redacted], status 45"],
    ["House number 45 is unknown", "House number [redacted] is unknown"],
    ["Number '45'.", "Number '[redacted]'."],
    ["<number>45</number>", "<number>[redacted]</number>"],
    ['country="DE"', 'country="[redacted]"'],
    ["country de", "country [redacted]"],
    ["number 456", "number 456"],
    ["housenumber 45", "housenumber 45"],
    ["the number. 45 users", "the number. 45 users"],
    ["DENIED for DE at 10:45", "DENIED for DE at 10:45"],
  ])("is treated by its place: %s", (text, expected) => {
    expect(redactorOf({ number: "45", country: "DE" })(text)).toBe(expected);
  });
});

describe("the API key", () => {
  it("is replaced everywhere, without any sensitive name", () => {
    const redact = createRedactor([], () => ({ apiKey, values: undefined }));
    expect(redact(`with ${apiKey}, and ${apiKey.toUpperCase()}x`)).toBe("with [redacted], and [redacted]x");
  });

  it("is replaced as a whole word only when it is very short", () => {
    const redact = createRedactor([], () => ({ apiKey: "key", values: undefined }));
    expect(redact("a key, no keyboard")).toBe("a [redacted], no keyboard");
  });
});

describe("a JSON member with a sensitive name", () => {
  const redact = redactorOf(undefined);

  it.each([
    ['{"email":["a@mail.example",{"b":"]"}],"id":1}', '{"email":"[redacted]","id":1}'],
    ['{"iban":{"value":"DE89","x":[1,"}"]},"id":1}', '{"iban":"[redacted]","id":1}'],
    ['{"cvv": 918 , "id":1}', '{"cvv": "[redacted]" , "id":1}'],
    ['{"Email":"a","IBAN" : "b"}', '{"Email":"[redacted]","IBAN" : "[redacted]"}'],
    ['{"email":"a\\"b\\\\","id":"c"}', '{"email":"[redacted]","id":"c"}'],
    ['{"email":"", "pin":""}', '{"email":"[redacted]", "pin":"[redacted]"}'],
    ['{"email":["a@mail.exam', '{"email":"[redacted]"'],
    ['{"iban":{"value":"DE', '{"iban":"[redacted]"'],
    ['{"email":"a\\', '{"email":"[redacted]"'],
    ['{"cvv":91', '{"cvv":"[redacted]"'],
    ['{"email":null,"pin":true}', '{"email":null,"pin":true}'],
    ['{"userEmail":"a"}', '{"userEmail":"a"}'],
    [
      '{"detail":"{\\"email\\":\\"a\\\\\\"b\\",\\"iban\\":[\\"c\\"],\\"id\\":1}","id":2}',
      '{"detail":"{\\"email\\":\\"[redacted]\\",\\"iban\\":\\"[redacted]\\",\\"id\\":1}","id":2}',
    ],
    ['{"detail":"{\\"email\\":[\\"cut","id":2}', '{"detail":"{\\"email\\":\\"[redacted]\\"","id":2}'],
    [
      "<pre>{&quot;email&quot;:&quot;a&#39;b&quot;,&quot;id&quot;:1}</pre>",
      "<pre>{&quot;email&quot;:&quot;[redacted]&quot;,&quot;id&quot;:1}</pre>",
    ],
    ["&#34;pin&#34;: [&#34;]&#34;]!", "&#34;pin&#34;: &#34;[redacted]&#34;!"],
  ])("loses its value: %s", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it("loses its value whatever that is and wherever JSON is cut off", () => {
    // A canary that cannot come about by chance, nor be cut into something that looks like it.
    const value = fc.jsonValue().map((inner) => ({ inner, canary: "Canarina" }));
    const member = fc.tuple(fc.constantFrom(...sensitiveNames), value);
    const wrap = fc.constantFrom(
      (text: string) => text,
      (text: string) => JSON.stringify({ detail: text }),
      (text: string) => JSON.stringify({ detail: JSON.stringify([text]) }),
      (text: string) => html["HTML with names"](text),
    );
    fc.assert(
      fc.property(
        fc.array(member, { minLength: 1 }),
        wrap,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (of, to, cut) => {
          const text = to(JSON.stringify({ id: 1, inner: of.map(([name, value]) => ({ [name]: value })) }));
          const kept = text.slice(0, Math.ceil(text.length * cut));
          expect(redact(kept)).not.toContain("Canar");
          expect(redact(text)).not.toContain("Canar");
        },
      ),
    );
  });

  it("leaves JSON readable", () => {
    const member = fc.tuple(fc.constantFrom(...sensitiveNames, "id", "status"), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(member), (members) => {
        const body = members.map(([name, value]) => ({ [name]: value }));
        expect(() => JSON.parse(redact(JSON.stringify(body)))).not.toThrow();
      }),
    );
  });
});

describe("redaction", () => {
  const piece = fc.oneof(
    fc.constantFrom(...sensitiveNames.flatMap((name) => [name, `"${name}":`, `\\"${name}\\":`, `${name}=`])),
    fc.constantFrom(mask, '"', "\\", "{", "}", "[", "]", ",", " ", "45", "DE", "&quot;", "%", "&", '\\"', "Lena Vogel"),
    anyText,
  );
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));

  it("changes nothing when it is repeated", () => {
    fc.assert(
      fc.property(text, longValue, (text, value) => {
        const redact = redactorOf({ email: value, firstName: "Lena Vogel", number: "45", country: "DE" });
        const once = redact(text);
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 200 },
    );
  });

  it.each(["redacted", "dact"])("finds no value in a mask: %s", (value) => {
    const redact = redactorOf({ email: [value, "Lena Vogel"] });
    expect(redact(redact("for Lena Vogel"))).toBe("for [redacted]");
  });

  it("never throws", () => {
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true });
    fc.assert(
      fc.property(anything, fc.oneof(text, anything), (body, text) => {
        expect(typeof redactorOf({ email: body })(text as string)).toBe("string");
      }),
    );
  });

  it("shows nothing when the sent values cannot be read", () => {
    const circular: Record<string, unknown> = {};
    circular.email = circular;
    expect(redactorOf(circular)("a text")).toBe(mask);
    const throwing = createRedactor(sensitiveNames, () => {
      throw new Error("not to be read");
    });
    expect(throwing("a text")).toBe(mask);
  });

  it("reads what was sent only when something is redacted, and once", () => {
    let reads = 0;
    const redact = createRedactor(sensitiveNames, () => {
      reads += 1;
      return { apiKey, values: undefined };
    });
    expect(reads).toBe(0);
    expect([redact("a"), redact("b"), reads]).toEqual(["a", "b", 1]);
  });

  const size = 2_000_000;
  it.each([
    ["backslashes", "\\".repeat(size), '"a"'],
    ["backslashes behind a name", `"email${"\\".repeat(size)}`, "a person"],
    ["blanks behind a name", `"email"${" ".repeat(size)}`, "a person"],
    ["blanks behind short names", "number ".repeat(size / 8), "a person"],
    ["names", '"email'.repeat(size / 6), "a person"],
    ["members", '"email":1,'.repeat(size / 10), "a person"],
    ["a string without an end", `"email":"${"a".repeat(size)}`, "a person"],
    ["an array without an end", `"email":${"[".repeat(size)}`, "a person"],
    ["a number without an end", `"email":${"1".repeat(size)}`, "a person"],
    ["arrays without an end in members", '"email":["'.repeat(size / 10), "a person"],
    ["HTML quotes", "&quot;email".repeat(size / 11), "a person"],
    ["the beginning of a value", "a".repeat(size), `${"a".repeat(500)}!`],
    ["the beginning of a value in groups", "4 ".repeat(size / 2), `${"4".repeat(15)}5`],
    ["the beginning of a value in groups with entities", "4&nbsp;".repeat(size / 7), `${"4".repeat(15)}5`],
    ["the beginning of a value with entities", "&amp;".repeat(size / 5), `${"&amp;".repeat(30)}!`],
    ["the beginning of a value with named entities", "&ouml;".repeat(size / 6), `${"Ö".repeat(15)}!`],
    ["the beginning of a value with percent signs", "%25".repeat(size / 3), `${"%25".repeat(30)}!`],
    ["the beginning of a value with backslashes", '\\\\\\"'.repeat(size / 4), `${'\\"'.repeat(100)}!`],
    ["the beginning of a value in small letters", "ö".repeat(size), `${"Ö".repeat(15)}!`],
  ])(
    "ends with 2 million characters: %s",
    (_name, hostile, value) => {
      const redact = redactorOf({ email: value, number: "45" });
      expect(typeof redact(hostile)).toBe("string");
    },
    120_000,
  );

  it("ends with a value of 2 million characters", () => {
    for (const value of ["a".repeat(size), `a${"\\".repeat(size)}`, "ö".repeat(size), "4".repeat(size)]) {
      expect(redactorOf({ email: value })(`before ${value}`)).not.toContain(value.slice(0, 1_000));
    }
  });
});

describe("redactCause", () => {
  const canary = "lena.vogel@mail.example";
  const redact = redactorOf({ email: canary });

  /** Everything that a program might print of an error. */
  function printed(error: Error | undefined): string {
    return inspect(error, { depth: 20, showHidden: true, maxArrayLength: null }) + JSON.stringify(error);
  }

  it("copies name, message, stack and the codes, and nothing else", () => {
    const error = Object.assign(new TypeError(`failed for ${canary}`), {
      code: "ECONNREFUSED",
      errno: -111,
      syscall: `connect ${canary}`,
      config: { headers: { "x-api-key": apiKey }, body: canary },
      request: canary,
      [Symbol("body")]: canary,
    });
    const copy = redactCause(error, redact);
    expect(copy).toBeInstanceOf(Error);
    expect(copy).toMatchObject({
      name: "TypeError",
      message: "failed for [redacted]",
      code: "ECONNREFUSED",
      errno: -111,
      syscall: "connect [redacted]",
    });
    expect(copy?.stack).toContain("redactor.test.ts");
    expect(printed(copy)).not.toContain(canary);
    expect(printed(copy)).not.toContain(apiKey);
  });

  it("copies causes and the errors of an AggregateError", () => {
    const inner = new AggregateError([new Error(canary), canary], canary, { cause: { message: canary, canary } });
    const copy = redactCause(new Error("outer", { cause: inner }), redact);
    expect(copy).toMatchObject({
      message: "outer",
      cause: {
        name: "AggregateError",
        message: mask,
        cause: { message: "a value that is no Error: [redacted]" },
        errors: [{ message: mask }, { message: "a value that is no Error: [redacted]" }],
      },
    });
    expect(printed(copy)).not.toContain(canary);
  });

  it.each([
    ["a string", `for ${canary}`, "fetch rejected with a value that is no Error: for [redacted]"],
    [
      "an object with a message",
      { message: canary, canary },
      "fetch rejected with a value that is no Error: [redacted]",
    ],
    ["an object", { canary }, "fetch rejected with a value that is no Error"],
    ["null", null, "fetch rejected with a value that is no Error"],
    ["a function", () => canary, "fetch rejected with a value that is no Error"],
    ["a symbol", Symbol(canary), "fetch rejected with a value that is no Error"],
  ])("makes an error of %s", (_name, cause, message) => {
    const copy = redactCause(cause, redact);
    expect(copy).toBeInstanceOf(Error);
    expect(copy?.message).toBe(message);
    expect(printed(copy)).not.toContain(canary);
  });

  it("has no error without a cause", () => {
    expect(redactCause(undefined, redact)).toBeUndefined();
  });

  it("reads errors of another realm", () => {
    const foreign = runInContext(`new TypeError("for ${canary}")`, createContext());
    expect(foreign).not.toBeInstanceOf(Error);
    expect(redactCause(foreign, redact)).toMatchObject({ name: "TypeError", message: "for [redacted]" });
  });

  it("ends with cycles, long chains and many errors", () => {
    const own = new Error("own");
    own.cause = own;
    expect(redactCause(own, redact)?.cause).toBeUndefined();
    const wide = new AggregateError([], "wide");
    wide.errors = Array.from({ length: 1_000 }, () => new AggregateError([wide, own], "narrow"));
    expect((redactCause(wide, redact) as AggregateError).errors).toHaveLength(10);
    let chain = new Error("0");
    for (let length = 1; length < 10_000; length += 1) chain = new Error(String(length), { cause: chain });
    let depth = 0;
    for (let copy = redactCause(chain, redact); copy !== undefined; copy = copy.cause as Error | undefined) depth += 1;
    expect(depth).toBe(6);
  });

  it("survives errors that throw when they are read", () => {
    const throwing = () => {
      throw new Error(canary);
    };
    const hostile = [
      new Proxy(new Error(canary), { get: throwing, has: throwing, getPrototypeOf: throwing, ownKeys: throwing }),
      Object.defineProperties(new Error(canary), { message: { get: throwing }, cause: { get: throwing } }),
      Object.defineProperty(new AggregateError([]), "errors", {
        value: new Proxy([new Error(canary)], { get: throwing }),
      }),
      Object.freeze(new Error(canary)),
      Object.assign(new Error("x"), { name: Symbol("x"), message: 5, stack: {}, code: {}, errors: "no list" }),
      Object.create(null),
    ];
    const { proxy, revoke } = Proxy.revocable(new Error(canary), {});
    revoke();
    for (const cause of [
      ...hostile,
      proxy,
      new Error("outer", { cause: proxy }),
      { message: { toString: throwing } },
    ]) {
      const copy = redactCause(cause, redact);
      expect(copy).toBeInstanceOf(Error);
      expect(printed(copy)).not.toContain(canary);
    }
  });

  it("never throws, and never shows a value", () => {
    const leaf = fc.oneof(fc.constant(canary), fc.anything({ withBigInt: true, withNullPrototype: true }));
    const { cause } = fc.letrec((tie) => ({
      cause: fc.oneof(
        { depthSize: "small" },
        leaf,
        fc.record({ message: leaf, stack: leaf, cause: tie("cause"), errors: fc.array(tie("cause")), config: leaf }),
        fc
          .tuple(fc.string(), tie("cause"), fc.array(tie("cause")))
          .map(([message, cause, errors]) => new AggregateError(errors, message + canary, { cause })),
      ),
    }));
    fc.assert(
      fc.property(cause, (cause) => {
        const copy = redactCause(cause, redact);
        expect(copy === undefined).toBe(cause === undefined);
        expect(printed(copy)).not.toContain(canary);
      }),
    );
  });
});
