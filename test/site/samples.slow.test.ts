import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { isDeepStrictEqual } from "node:util";
import { type ClientOptions, createPartnerClient } from "partner-wallet-api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addressOptions } from "../../scripts/cli/package/mock-options.ts";
import { isCode } from "../../scripts/contract/model/index.ts";
import { type RunningMock, startMock } from "../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../scripts/mock/make-plan/index.ts";
import { mockAddresses, sampleKey } from "../../scripts/site/samples/addresses.ts";
import { snippetLanguages } from "../../scripts/site/samples/snippets.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { typeProblems } from "../support/type-problems.ts";
import {
  type CollectedSample,
  collectSamples,
  collectWebhooks,
  distinctBy,
  scalarsIn,
  sensitiveValues,
} from "./samples/collect.ts";
import { interpreters, outputOf, reasonNotToRun } from "./samples/interpreters.ts";
import { runProgram } from "./samples/programs.ts";
import { runCurl } from "./samples/shell.ts";

const samples = collectSamples();
/** Operations whose sample succeeds only once, with the P-code of the response to a second call. */
const codesOfSecondCalls: Record<string, string> = {
  createUserAccount: "P411",
  deleteUser: "P412",
  addPoaFiles: "P211",
  deleteCard: "P434",
  createExchange: "P403",
  createPartnerExchange: "P403",
  createOrder: "P403",
};

const folder = temporaryFolder();
let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock(await loadPlan(), { edition: "test", scenario: true });
});
afterAll(() => mock.close());

function replaceAddresses(code: string, key: string): string {
  return code
    .replaceAll(mockAddresses.base_url, mock.url)
    .replaceAll(mockAddresses.deposit_base_url, mock.depositUrl)
    .replaceAll(sampleKey, key.replaceAll(" ", "-"));
}

function problemsOf(sample: CollectedSample, status: number | undefined, text: string): string[] {
  const { id, code, response } = sample;
  if (response === undefined || status !== response.status)
    return [`${id}: ${status} instead of ${response?.status}: ${text}`];
  // A success body depends on the mock's state. The body with a provoked P-code must equal the documented example.
  if (code === undefined || response.body === undefined) return [];
  const body = response.mediaType?.endsWith("json") ? JSON.parse(text) : text;
  return isDeepStrictEqual(body, response.body) ? [] : [`${id}: another body: ${text}`];
}

it("covers every example of every request, and every documented code", () => {
  const provokingSamples = samples.filter(({ code }) => code !== undefined);
  expect([samples.length - provokingSamples.length, provokingSamples.length]).toEqual([85, 240]);
  expect(new Set(samples.map(({ id }) => id)).size).toBe(samples.length);
});

it("uses the ports of npm start", () => {
  const ports = addressOptions.slice(0, 2).map(({ defaultValue }) => `http://127.0.0.1:${defaultValue}`);
  expect(Object.values(mockAddresses)).toEqual(ports);
});

it("gets the documented response for each curl sample, with a fresh key", async () => {
  const distinctSamples = distinctBy(samples, (sample) => sample.snippets.curl);
  const responses = await runCurl(distinctSamples.map((sample) => replaceAddresses(sample.snippets.curl, sample.id)));
  const problems = distinctSamples.flatMap((sample, index) => {
    const { status, mediaType, text = "" } = responses[index] ?? {};
    const hasMediaType = mediaType === sample.response?.mediaType;
    return [...problemsOf(sample, status, text), ...(hasMediaType ? [] : [`${sample.id}: ${mediaType}`])];
  });
  expect(problems).toEqual([]);
});

it("gets it again for each curl sample, except those that use something up", async () => {
  const examples = samples.filter(({ code }) => code === undefined);
  const commands = examples.map((sample) => replaceAddresses(sample.snippets.curl, `twice ${sample.id}`));
  const responses = await runCurl(
    commands.flatMap((command) => [command, command]),
    1,
  );
  const refusedOperations = examples.flatMap(({ operation }, index) => {
    const { errorCode } = JSON.parse(/^\{.*"errorCode".*\}$/s.exec(responses[2 * index + 1]?.text ?? "")?.[0] ?? "{}");
    return errorCode === undefined ? [] : [[operation.operationId, errorCode]];
  });
  expect(Object.fromEntries(refusedOperations)).toEqual(codesOfSecondCalls);
});

it("has programs and receivers that compile", () => {
  const modules = new Map<string, string>();
  for (const sample of distinctBy(samples, (candidate) => candidate.snippets.typescript)) {
    modules.set(`${sample.id.replaceAll(" ", "-")}.mts`, sample.snippets.typescript);
  }
  for (const { id, receiver } of distinctBy(collectWebhooks(), (sample) => sample.receiver)) {
    modules.set(`${id.replaceAll(" ", "-")}-receiver.mts`, receiver);
  }
  expect(typeProblems(modules)).toEqual([]);
}, 120_000);

it("runs each sample with the client, which prints nothing sensitive", async () => {
  const problems: string[] = [];
  for (const sample of distinctBy(samples, (candidate) => candidate.snippets.typescript)) {
    const { printed, calls } = await runSample(replaceAddresses(sample.snippets.typescript, `client ${sample.id}`));
    const [{ status, text } = { status: undefined, text: "" }] = calls;
    problems.push(...problemsOf(sample, status, text));
    if (calls.length !== 1) problems.push(`${sample.id}: ${calls.length} calls`);
    const isFailure = (sample.response?.status ?? 0) >= 400;
    if (printed.log.length > 0 === isFailure) problems.push(`${sample.id}: nothing or too much on stdout`);
    if (printed.error.length > 0 !== isFailure) problems.push(`${sample.id}: nothing or too much on stderr`);
    const bodies = sample.operation.responses.find(({ status }) => status === sample.response?.status)?.bodies ?? [];
    const sensitiveScalars = sensitiveValues(
      bodies,
      sample.response?.mediaType?.endsWith("json") ? JSON.parse(text) : text,
    );
    const values = new Set(scalarsIn([printed.log, printed.error]));
    problems.push(
      ...sensitiveScalars.filter((value) => values.has(value)).map(() => `${sample.id}: prints what is sensitive`),
    );
  }
  expect(problems).toEqual([]);
});

it("runs each sample in JavaScript with fetch", async () => {
  const problems: string[] = [];
  for (const sample of samples) {
    const code = snippetLanguages.javascript?.(sample.call) ?? "";
    const { printed, calls } = await runSample(replaceAddresses(code, `javascript ${sample.id}`));
    problems.push(...problemsOf(sample, calls[0]?.status, calls[0]?.text ?? ""));
    expect(printed.log).toEqual([calls[0]?.status, calls[0]?.text]);
  }
  expect(problems).toEqual([]);
});

it.for(Object.keys(interpreters))("runs each %s sample", async (language, context) => {
  const reasonToSkip = await reasonNotToRun(language);
  if (reasonToSkip !== undefined && process.env.CI === undefined) context.skip(reasonToSkip);
  expect(reasonToSkip).toBeUndefined();
  for (const { name, content } of samples.flatMap(({ call }) => call.files ?? [])) {
    writeFileSync(join(folder, name), content);
  }
  const programs = samples.map((sample) => {
    return replaceAddresses(snippetLanguages[language]?.(sample.call) ?? "", `${language} ${sample.id}`);
  });
  const outputs = await outputOf(language, programs, folder);
  const wrongSamples = samples.flatMap(({ id, code = "", response }, index) => {
    const text = outputs[index] ?? "";
    const isExpected =
      new RegExp(`(^|\\n)${response?.status}\\s`).test(text) && (!isCode(code) || text.includes(`"${code}"`));
    return isExpected ? [] : [`${id}: ${text}`];
  });
  expect(wrongSamples).toEqual([]);
});

it.for(Object.keys(interpreters))(
  "%s samples send quotes, dollars and escapes as they are",
  async (language, context) => {
    const reasonToSkip = await reasonNotToRun(language);
    if (reasonToSkip !== undefined && process.env.CI === undefined) context.skip(reasonToSkip);
    const bodies: unknown[] = [];
    const server = createServer(async (request, response) => {
      bodies.push(await json(request));
      response.end();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const oddTexts = [
      "it's",
      '"$HOME" $x {$y}',
      "#{1+1} `date` !!",
      "back\\slash \\n",
      "$a %d €",
      `'''"""`,
      "\nJSON\n",
    ];
    const sentBodies = oddTexts.map((text) => ({ text, "k'$ey": 1.5, none: null }));
    const headers = { "content-type": "application/json" };
    const codes = sentBodies.map(
      (body) => snippetLanguages[language]?.({ method: "POST", url, headers, json: body }) ?? "",
    );
    await outputOf(language, codes, folder);
    server.close();
    expect(bodies).toEqual(sentBodies);
  },
);

async function runSample(code: string) {
  const printedValues = { log: [] as unknown[], error: [] as unknown[] };
  const calls: { status: number; text: string }[] = [];
  const recordingFetch = async (...request: Parameters<typeof fetch>) => {
    const response = await fetch(...request);
    calls.push({ status: response.status, text: await response.clone().text() });
    return response;
  };
  await runProgram(code, {
    modules: {
      "node:fs/promises": { readFile: async () => "a few bytes" },
      "partner-wallet-api": {
        createPartnerClient: (options: ClientOptions) =>
          createPartnerClient({ ...options, fetch: recordingFetch, retries: 0 }),
      },
    },
    fetch: recordingFetch,
    console: {
      log: (...values) => void printedValues.log.push(...values),
      error: (...values) => void printedValues.error.push(...values),
    },
  });
  return { printed: printedValues, calls };
}

it("uses the header Prefer only to provoke a code", () => {
  const samplesWithPrefer = samples.filter(({ snippets }) =>
    Object.values(snippets).some((text) => text.includes("Prefer")),
  );
  expect(samplesWithPrefer.length).toBeGreaterThan(0);
  expect(samplesWithPrefer.filter(({ code }) => code === undefined).map(({ id }) => id)).toEqual([]);
});
