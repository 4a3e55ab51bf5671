import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { projectRoot, UsageError } from "../../scripts/contract/base/index.ts";
import {
  readMockValues,
  readRunnableAnswers,
  readStatementSources,
  readYaml,
} from "../../scripts/contract/sources/index.ts";
import { memorySources } from "../support/memory-sources.ts";

test("lists every country with its effect, every network and every delay", () => {
  const { countries, networks, delays } = readMockValues();
  type Settings = { countries: Record<string, unknown>; delays: Record<string, unknown> };
  const settings = readYaml<Settings>(`${projectRoot}/openapi/mock.yaml`, "The settings");
  const otherKeys = ["questions", "responses", "refusals"];
  expect(countries.map(({ name }) => name)).toEqual(
    Object.keys(settings.countries).filter((name) => !otherKeys.includes(name)),
  );
  expect(countries.find(({ values }) => values.includes("XF"))?.outcome).toBe("P431");
  expect(networks).toContainEqual(
    expect.objectContaining({ currency: "usdc", network: "polygon", minWithdrawal: "5" }),
  );
  expect(Object.keys(delays)).toEqual(Object.keys(settings.delays).filter((name) => !otherKeys.includes(name)));
});

test("reads the files that it is given, also with CRLF, and refuses unreadable ones", () => {
  const text = readFileSync(`${projectRoot}/openapi/mock.yaml`, "utf8").replaceAll("\n", "\r\n");
  expect(readMockValues(memorySources({ "mock.yaml": text }))).toEqual(readMockValues());
  expect(() => readMockValues(memorySources({}))).toThrow(UsageError);
  expect(() => readRunnableAnswers(memorySources({}))).toThrow(UsageError);
  const answers = { "Q-a": { yes: {} } };
  expect(readRunnableAnswers(memorySources({ "answers.yaml": answers }))).toEqual(answers);
  expect(readStatementSources(memorySources({ "sources.yaml": "[]" }))).toEqual([]);
});
