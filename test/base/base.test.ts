import { describe, expect, it } from "vitest";
import {
  didYouMean,
  escapeControls,
  escapePattern,
  found,
  githubCommand,
  junitReport,
  nearestName,
  omit,
  present,
  readManifest,
  UsageError,
} from "../../scripts/base/index.ts";
import { readNames } from "../../scripts/base/modules/index.ts";

it.each([
  ["a\u001b[31mb\n", "a\\u001b[31mb\\u000a"],
  ["\u202eb\u2066c\u2028", "\\u202eb\\u2066c\\u2028"],
  ["für 5 € ✓", "für 5 € ✓"],
])("control characters are escaped, and letters are not: %j", (text, escapedText) => {
  expect(escapeControls(text)).toBe(escapedText);
});

it("an escaped pattern matches the text itself only", () => {
  const text = "a.b*c+d?e^f$g{h}(i)|[j]\\k";
  expect(text).toMatch(new RegExp(`^${escapePattern(text)}$`));
  expect("axb").not.toMatch(new RegExp(`^${escapePattern("a.b")}$`));
});

it("a value that is not found is a mistake of the user, and a value that is null or empty is found", () => {
  expect(() => found(undefined, "operation getPot")).toThrow(new UsageError("There is no operation getPot."));
  expect(() => present(undefined, "path")).toThrow("There is no path.");
  expect(() => present(undefined, "path")).not.toThrow(UsageError);
  expect([found(null, "it"), found("", "it"), found(0, "it")]).toEqual([null, "", 0]);
});

it("omits members and leaves the object unchanged", () => {
  const object = { a: 1, b: 2 };
  expect([omit(object, "a"), object]).toEqual([{ b: 2 }, { a: 1, b: 2 }]);
  // @ts-expect-error There is no such member.
  expect(omit(object, "c")).toEqual(object);
});

it.each([
  ["--explian", ["--explain", "--format"], " Did you mean --explain?"],
  ["GETPOT", ["getPot", "setPot"], " Did you mean getPot?"],
  ["e", ["e", "eur"], " Did you mean e?"],
  ["weather", ["getPot", "setPot"], ""],
  ["", [], ""],
])("suggests for %s the nearest name", (text, names, sentence) => {
  expect(didYouMean(text, names)).toBe(sentence);
});

it("puts a prefix before the suggested name, and needs no long time for a long text", () => {
  expect(didYouMean("getpots", ["getPot"], "GET /")).toBe(" Did you mean GET /getPot?");
  expect(nearestName("a".repeat(1_000_000), ["a".repeat(1_000_000)])).toHaveLength(1_000_000);
});

it("the command of GitHub keeps separators and new lines of its texts", () => {
  const annotation = { file: "a,b.yaml", line: 3, title: "50%: no" };
  expect(githubCommand("error", annotation, "one: 50%\r\ntwo, three")).toBe(
    "::error file=a%2Cb.yaml,line=3,title=50%25%3A no::one: 50%25%0D%0Atwo, three",
  );
});

describe("the JUnit report", () => {
  const failure = { type: "E", message: 'a "b"\nc', text: "1 < 2 & 3 \u0000\ud800" };
  const report = junitReport(
    { name: "suite", packageName: "pots" },
    [
      { classname: "c", name: "passed", milliseconds: 1500 },
      { classname: "c", name: "failed", failure, skipReason: "not counted twice" },
      { classname: "c", name: "skipped", skipReason: "no network" },
    ],
    { milliseconds: 2345, startedAt: new Date("2026-03-01T10:00:00.999Z"), output: "]]>" },
  );

  it("names the suite and its package", () => {
    expect(report).toContain('<testsuite name="suite" package="pots" ');
  });

  it("counts each case once and writes seconds", () => {
    expect(report).toContain('tests="3" failures="1" errors="0" skipped="1" time="2.345"');
    expect(report).toContain('timestamp="2026-03-01T10:00:00"');
    expect(report).toContain('<testcase classname="c" name="passed" time="1.500"/>');
  });

  it("escapes what XML does not allow", () => {
    expect(report).toContain(
      '<failure type="E" message="a &#34;b&#34;&#10;c">1 &#60; 2 &#38; 3 </failure>\n    </testcase>',
    );
    expect(report).toContain('<skipped message="no network"/>');
    expect(report).toContain("<system-out>]]&#62;</system-out>");
  });
});

it("reads the names of a module, and refuses one that cannot be parsed", () => {
  expect(readNames("m.ts", 'export { a as b } from "./a.ts";').exports.map(({ name }) => name)).toEqual(["b"]);
  expect(() => readNames("m.ts", "export const = 3")).toThrow(/^m\.ts: /);
});

it("reads package.json", () => {
  expect(readManifest()).toMatchObject({ name: expect.any(String), version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
});
