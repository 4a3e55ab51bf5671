import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { projectRoot, UsageError } from "../../../scripts/base/index.ts";
import {
  parseYaml,
  readMockControl,
  readMockValues,
  readPublication,
  readPublishing,
  readRunnableAnswers,
  readStatementSources,
  readYaml,
  type Sources,
} from "../../../scripts/contract/sources/index.ts";
import { readPlanRegisters } from "../../../scripts/mock/make-plan/index.ts";
import { replaceOnce, takeMark } from "../../lint/clean-contract.ts";
import { pathsIn, withValue } from "../../lint/half-saved.ts";
import { memorySources } from "../../support/memory-sources.ts";

const committedText = (file: string) => readFileSync(join(projectRoot, "openapi", file), "utf8");
const sharedFiles = [
  ...["openapi.yaml", "extensions.yaml", "open-questions.yaml", "resources.yaml", "mock-control.yaml", "mock.yaml"],
  "answers.yaml",
];
const sharedTexts = Object.fromEntries(sharedFiles.map((file) => [file, committedText(file)]));

const readers: Record<string, (sources: Sources) => unknown> = {
  "mock-control.yaml": (sources) => [
    readMockControl(sources),
    readMockValues(sources),
    readRunnableAnswers(sources),
    sources.registers(),
  ],
  "mock.yaml": (sources) => [sources.registers(), readMockValues(sources)],
  "../publishing.yaml": readPublishing,
  "sources.yaml": readStatementSources,
  "answers.yaml": readRunnableAnswers,
  "scenario.yaml": readPublication,
  "probes.yaml": readPlanRegisters,
  "open-questions.yaml": (sources) => sources.registers(),
  "extensions.yaml": (sources) => sources.registers(),
  "resources.yaml": (sources) => sources.registers(),
};

const refusedEdits = readYaml<Record<string, [text: string, replacement: string, problem: string][]>>(
  join(import.meta.dirname, "forms.yaml"),
  "The table",
);

describe.each(Object.entries(readers))("%s", (file, read) => {
  const text = committedText(file);
  const refusalOf = (changedText: string): string => {
    try {
      read(memorySources({ ...sharedTexts, [file]: changedText }));
      return "";
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return error.message.replace(relative(process.cwd(), join("/contract", file)), file);
    }
  };

  test("has the required form", () => expect(refusalOf(text)).toBe(""));

  test.each(["7", file === "sources.yaml" ? "{}" : "[]"])("is refused as a whole with the value %s", (value) => {
    expect(refusalOf(value)).toMatch(new RegExp(`^${file}:1:1: #/ must be (object|array)\\. Correct it\\.$`));
  });

  test.each(refusedEdits[file] ?? [])("with %j replaced by %j is refused: %s", (before, after, problem) => {
    const texts = new Map([[file, replaceOnce(text, [before, after])]]);
    const position = takeMark(texts);
    const message = `${position}: ${problem}`;
    expect(refusalOf(texts.get(file) ?? "").slice(0, message.length)).toBe(message);
  });

  test("with a value of another form is read, or refused with a line", () => {
    const paths = pathsIn(parseYaml(text.replaceAll(": null", ": 0")));
    const replacement = fc.constantFrom(null, 7, "text", [], {});
    const property = fc.property(fc.constantFrom(...paths), replacement, (path, value) => {
      expect(refusalOf(withValue(text, path, value))).toMatch(/^$|^[\w./-]+\.yaml:\d+:\d+: #/);
    });
    fc.assert(property, { numRuns: 40 });
  });
});
