/** Every sample of the site works as it stands against the mock that `npm start` serves. */
import { isDeepStrictEqual } from "node:util";
import { type ClientOptions, createPartnerClient } from "partner-wallet-api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { walkSchema } from "../../scripts/contract/index.ts";
import { mockAddresses } from "../../scripts/docs/samples/request.ts";
import { addressOptions } from "../../scripts/mock/command/mock-options.ts";
import { type RunningMock, startMock } from "../../scripts/mock/mock.ts";
import { loadPlan } from "../../scripts/plan/index.ts";
import { type CollectedSample, codeIn, collectSamples, collectWebhooks, distinct } from "./samples/collect.ts";
import { runProgram, typeProblems } from "./samples/programs.ts";
import { runCurl } from "./samples/shell.ts";

const samples = collectSamples();
/** The answers of these calls tell of a moment that no example shows, or hold what the mock decides. */
const livelyAnswers = ["getPartnerBalances", "getPartnerSepaDepositInfo", "getUserBalances", "listUserCards"];

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock(await loadPlan(), { edition: "test", scenario: true });
});
afterAll(() => mock.close());

/** The code with the ports of this mock in place of those of `npm start`. */
function addressed(code: string): string {
  return code.replaceAll(mockAddresses.base_url, mock.url).replaceAll(mockAddresses.deposit_base_url, mock.depositUrl);
}

/** What is wrong with an answer to a sample; nothing where it is the documented one. */
function problemsOf(sample: CollectedSample, status: number | undefined, text: string): string[] {
  const { id, operation, code, answer } = sample;
  if (answer === undefined || status !== answer.status)
    return [`${id}: ${status} instead of ${answer?.status}: ${text}`];
  const body = answer.mediaType?.endsWith("json") ? (JSON.parse(text) as { errorCode?: string }) : text;
  if (/^P/.test(code ?? "") && (body as { errorCode?: string }).errorCode !== code)
    return [`${id}: another code: ${text}`];
  const isAnyMoment = answer.isFromState && livelyAnswers.includes(operation.operationId);
  if (answer.body === undefined || isAnyMoment) return [];
  const examples = operation.answers.flatMap(({ bodies }) => bodies.flatMap((one) => one.examples));
  const documented = answer.isFromState ? examples.map(({ value }) => value) : [answer.body];
  return documented.some((value) => isDeepStrictEqual(body, value)) ? [] : [`${id}: another body: ${text}`];
}

it("shows every example of every request, and every documented failure", () => {
  const counts = new Map<string, number>();
  for (const { code } of samples) {
    const kind = code === undefined ? "examples" : /^P/.test(code) ? "codes" : "other failures";
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  expect(Object.fromEntries(counts)).toEqual({
    examples: 85,
    codes: 240,
    "other failures": 65,
  });
  expect(new Set(samples.map(({ id }) => id)).size).toBe(samples.length);
});

it("is addressed to the ports that npm start takes", () => {
  const ports = addressOptions.slice(0, 2).map(({ initial }) => `http://127.0.0.1:${initial}`);
  expect(Object.values(mockAddresses)).toEqual(ports);
});

it("answers each curl sample as documented, pasted one after the other", async () => {
  const different = distinct(samples, (sample) => codeIn(sample, "curl"));
  const answers = await runCurl(different.map((sample) => addressed(codeIn(sample, "curl"))));
  const problems = different.flatMap((sample, index) => {
    const { status, mediaType, text = "" } = answers[index] ?? {};
    const isType = mediaType === sample.answer?.mediaType;
    return [...problemsOf(sample, status, text), ...(isType ? [] : [`${sample.id}: ${mediaType}`])];
  });
  expect(problems).toEqual([]);
});

it("has programs and receivers without a type error", () => {
  const modules = new Map<string, string>();
  for (const language of ["typescript", "fetch"] as const) {
    for (const sample of distinct(samples, (one) => codeIn(one, language))) {
      modules.set(`${sample.id.replaceAll(" ", "-")}-${language}`, codeIn(sample, language));
    }
  }
  for (const { id, receiver } of distinct(collectWebhooks(), (one) => one.receiver.code)) {
    modules.set(`${id.replaceAll(" ", "-")}-receiver`, receiver.code);
  }
  expect(typeProblems(modules)).toEqual([]);
  // Seconds on a machine that does nothing else.
}, 120_000);

it.each(["typescript", "fetch"] as const)("runs each %s sample, which prints nothing sensitive", async (language) => {
  const problems: string[] = [];
  for (const sample of distinct(samples, (one) => codeIn(one, language))) {
    const { printed, calls } = await runSample(addressed(codeIn(sample, language)));
    const [{ status, text } = { status: undefined, text: "" }] = calls;
    problems.push(...problemsOf(sample, status, text));
    if (calls.length !== 1) problems.push(`${sample.id}: ${calls.length} calls`);
    const isFailure = (sample.answer?.status ?? 0) >= 400;
    if (printed.log.length > 0 === isFailure) problems.push(`${sample.id}: nothing or too much on stdout`);
    if (printed.error.length > 0 !== isFailure) problems.push(`${sample.id}: nothing or too much on stderr`);
    const sensitive = sensitiveValues(sample, text);
    const values = new Set(scalarsIn([printed.log, printed.error]).map(({ value }) => value));
    problems.push(
      ...sensitive.filter((value) => values.has(value)).map(() => `${sample.id}: prints what is sensitive`),
    );
  }
  expect(problems).toEqual([]);
});

async function runSample(code: string) {
  const printed = { log: [] as unknown[], error: [] as unknown[] };
  const calls: { status: number; text: string }[] = [];
  const recording = async (...request: Parameters<typeof fetch>) => {
    const response = await fetch(...request);
    calls.push({ status: response.status, text: await response.clone().text() });
    return response;
  };
  await runProgram(code, {
    modules: {
      "partner-wallet-api": {
        createPartnerClient: (options: ClientOptions) =>
          createPartnerClient({ ...options, fetch: recording, retries: 0 }),
      },
    },
    fetch: recording,
    console: {
      log: (...values) => void printed.log.push(...values),
      error: (...values) => void printed.error.push(...values),
    },
  });
  return { printed, calls };
}

/** The values in an answer whose fields the contract marks as sensitive. */
function sensitiveValues({ operation, answer }: CollectedSample, text: string): unknown[] {
  const bodies = operation.answers.find(({ status }) => status === answer?.status)?.bodies ?? [];
  const fields = new Set<string | undefined>();
  for (const { schema } of bodies) {
    walkSchema(schema, (place, { path }) => {
      if (place.own("x-sensitive").value === true) fields.add(path.at(-1));
    });
  }
  const isJson = answer?.mediaType?.endsWith("json") === true;
  const found = scalarsIn(isJson ? JSON.parse(text) : text).filter(({ field }) => fields.has(field));
  return found.map(({ value }) => value).filter((value) => value !== null && value !== "");
}

/** Every text and number in a value, with the field that holds it. */
function scalarsIn(value: unknown, field?: string): { field: string | undefined; value: unknown }[] {
  if (typeof value !== "object" || value === null) return [{ field, value }];
  return Object.entries(value).flatMap(([key, inner]) => scalarsIn(inner, Array.isArray(value) ? field : key));
}

it("leaves the answer to the state of the mock where a call only reads", () => {
  const examples = samples.filter(({ code }) => code === undefined);
  const chosen = examples.filter((sample) => codeIn(sample, "curl").includes("Prefer: "));
  expect(chosen.every(({ note, answer }) => note?.includes("Prefer") && answer?.isFromState === false)).toBe(true);
  const reading = chosen.filter(({ operation: { method, effects } }) => method === "get" && effects.length === 0);
  expect(new Set(reading.map(({ operation }) => operation.operationId))).toEqual(
    new Set(["redirectToKycVerification"]),
  );
});
