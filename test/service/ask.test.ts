import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readArguments } from "../../scripts/cli/kit/arguments.ts";
import { askCommand, runAsk } from "../../scripts/cli/package/ask.ts";
import type { Probe, ProbeOutcome } from "../../scripts/mock/plan/index.ts";
import { readBody, serveInTest } from "../support/http.ts";
import { plan } from "../support/plan.ts";
import { key, knownValues, refusal, type Seed, type SeededService, serveSeeded } from "./seeded-service.ts";

const text = readFileSync(new URL("./realities.yaml", import.meta.url), "utf8");
const probeCases = parseYaml(text) as (Seed & { id: string; verdict: string; evidence: string; change: string })[];

let service: SeededService;
// `ask --write` changes the state of the service, so each test has a new service.
beforeEach(async () => {
  service = await serveSeeded();
});
afterEach(() => service.close());

const run = (...args: string[]) => runWith({}, ...args);

let signal: AbortSignal | undefined;
afterEach(() => {
  signal = undefined;
});

async function runWith(probes: Partial<typeof plan.probes>, ...args: string[]) {
  const parsedArguments = readArguments(askCommand("ask"), [
    ...args,
    ...knownValues.flatMap((value) => ["--set", value]),
  ]);
  return await runAsk(
    parsedArguments,
    { ...plan, probes: { ...plan.probes, ...probes } },
    {
      env: service.env,
      ...(signal && { signal }),
    },
  );
}

const ownQuestion = {
  ...{ id: "Q-own", question: "Which?", assumption: "The first.", assumesNothing: false },
  change: { Other: "It changes." },
};

async function runProbes(probes: readonly Probe[], ...args: string[]) {
  return await runWith({ questions: [{ ...ownQuestion, probes }] }, ...args);
}

interface AnsweredQuestion {
  id: string;
  verdict: string;
  findings: { verdict: string; evidence: string; change?: string }[];
}

async function runForAnswers(...args: string[]): Promise<AnsweredQuestion[]> {
  return JSON.parse((await run("--format", "json", ...args)).text).answers as AnsweredQuestion[];
}

describe("ask", () => {
  it("answers at least 30 questions against the mock without contradiction, with reads only", async () => {
    const allAnswers = await runForAnswers();
    expect(allAnswers.length).toBeGreaterThanOrEqual(30);
    expect(allAnswers.filter(({ verdict }) => verdict === "contradicted")).toEqual([]);
    expect(allAnswers.filter(({ verdict }) => verdict === "answered").length).toBeGreaterThan(8);
    expect(service.requests.filter(({ line }) => !line.startsWith("GET "))).toEqual([]);
  });

  it("answers more with --write", async () => {
    const allAnswers = await runForAnswers("--write");
    const answeredIds = allAnswers.filter(({ verdict }) => verdict === "answered").map(({ id }) => id);
    expect(allAnswers.filter(({ verdict }) => verdict === "contradicted")).toEqual([]);
    expect(answeredIds).toEqual(expect.arrayContaining(["Q-money-refusals", "Q-card-status", "Q-lock-newer-shape"]));
  });

  it("counts a question as answered only when all of its probes are", async () => {
    const allAnswers = await runForAnswers();
    const mixedAnswers = allAnswers.filter(({ findings }) => new Set(findings.map(({ verdict }) => verdict)).size > 1);
    expect(new Set(mixedAnswers.map(({ verdict }) => verdict))).toEqual(new Set(["open"]));
  });

  it.each([
    [9, "open"],
    [10, "answered"],
  ])("with %i ordered records the verdict is %s, since fewer can be in order by chance", async (number, verdict) => {
    const records = Array.from({ length: number }, (_, day) => ({ createdAt: `2026-04-${day + 10}T09:00:00.000Z` }));
    service.seed = { operation: "getUserTransactionHistory", text: JSON.stringify(records) };
    expect((await runForAnswers("--question", "Q-history-order")).map((result) => result.verdict)).toEqual([verdict]);
  });

  it.each<[string, seed: Seed, matching: Omit<ProbeOutcome, "answer">[], others: Omit<ProbeOutcome, "answer">[]]>([
    [
      "a success with a difference",
      { operation: "getPartnerBalances", set: { "/cryptoBalances/0/amount": 3 } },
      [
        ...[{}, { status: 200 }, { status: [404, 200] }, { code: "none" }, { header: "content-type" }],
        ...[{ drift: ["type"] }, { drift: ["required", "type"] }],
        { some: { "/cryptoBalances/*/amount": { type: "number" }, "/cryptoBalances/*/name": { pattern: "^btc$" } } },
        { every: { "/cryptoBalances/*/name": { type: "string" }, "": { type: "object", properties: {} } } },
      ],
      [
        ...[{ status: 404 }, { status: [201, 202] }, { code: "other" }, { code: "P403" }, { header: "link" }],
        ...[{ drift: "none" as const }, { drift: ["required"] }, { status: 200, header: "link" }],
        ...[{ some: { "/absent": {} } }, { every: { "/absent": {} } }],
        { some: { "/cryptoBalances/*/amount": { type: "number" }, "/cryptoBalances/*/name": { pattern: "^eur$" } } },
        { every: { "/cryptoBalances/*/name": { type: "string" }, "/cryptoBalances/*/amount": { type: "string" } } },
      ],
    ],
    [
      "a refusal as the contract has it",
      { operation: "getPartnerBalances", status: 400, set: { "": refusal("P500") } },
      [{ status: 400 }, { code: "P500" }, { code: "other" }, { drift: "none" }],
      [{ code: "none" }, { code: "P501" }, { status: 200, code: "P500" }, { drift: ["type"] }],
    ],
  ])("matches the outcomes of %s", async (_, seed, matchingOutcomes, otherOutcomes) => {
    service.seed = seed;
    const probes = [...matchingOutcomes, ...otherOutcomes].map((outcome) => ({
      operation: seed.operation,
      outcomes: [{ answer: "assumed", ...outcome }],
    }));
    const [question] = JSON.parse((await runProbes(probes, "--format", "json")).text).answers as [AnsweredQuestion];
    expect(probes.filter((_, index) => question.findings[index]?.verdict === "answered")).toEqual(
      probes.slice(0, matchingOutcomes.length),
    );
  });

  it("shows up to five different values as evidence, and differences only where an outcome depends on them", async () => {
    service.seed = {
      operation: "listUserCards",
      set: { "": [1, 2, 3, 4, 5, 5].map((number) => ({ id: `A${number}`, label: `B${number}` })) },
    };
    const answer = "assumed";
    const evidenceOf = async (outcomes: ProbeOutcome[]) => {
      const [question] = JSON.parse(
        (await runProbes([{ operation: "listUserCards", outcomes }], "--format", "json")).text,
      ).answers as [AnsweredQuestion];
      return question.findings[0]?.evidence;
    };
    const every = { "/*/id": { type: "string" } };
    expect(await evidenceOf([{ answer, every, some: { "/*/none": {}, "": {} } }])).toBe(
      "listUserCards → 200; /*/id: A1, A2, A3, A4, A5; /*/none: nothing; body: array",
    );
    (service.seed.set as Record<string, unknown>)["/6"] = { id: "A6" };
    expect(
      await evidenceOf([
        { answer, every, header: "link" },
        { answer, header: "content-type" },
      ]),
    ).toBe("listUserCards → 200; /*/id: A1, A2, A3, A4, A5 …; header content-type");
    service.seed = { operation: "listUserCards", remove: "/1/label" };
    expect(
      await evidenceOf([
        { answer, drift: "none" },
        { answer, status: 200 },
      ]),
    ).toBe("listUserCards → 200; /1/label required");
  });

  it("calls each source of values once before the probes, and never one that changes data", async () => {
    const source = (operation: string) => ({ operation, at: "/none" });
    await runWith({
      questions: [],
      values: {
        one: [source("getPartnerBalances"), source("createPaymentLink"), source("getSepaTransferDetails")],
        other: [source("listUserCards"), source("getPartnerBalances")],
      },
    });
    expect(service.requests.map(({ line }) => line)).toEqual([
      "GET /v1/partner/balances",
      "GET /v1/card/all/user-1042",
    ]);
  });

  it("takes identifiers from responses, and names those that it lacks", async () => {
    const probe = { operation: "getSepaTransferDetails", outcomes: [{ answer: "assumed", status: 200 }] };
    expect((await runProbes([probe])).text).toContain("- getSepaTransferDetails → 200\n");
    service.seed = { operation: "getUserTransactionHistory", set: { "": [{ transferId: "" }, { transferId: 7 }] } };
    expect((await runProbes([probe])).text).toContain("- getSepaTransferDetails needs --set sepaTransferId=…");
  });

  it("undoes a change only after it was made, and reports changes that no call undoes", async () => {
    const outcomes = [{ answer: "assumed", status: 200 }];
    const [block, unblock] = ["PATCH /v1/card/block", "PATCH /v1/card/unblock"];
    const undo = { blockCard: "unblockCard" };
    const refusedSeed = { operation: "blockCard", status: 400, set: { "": refusal("P434") } };
    const cases: [Probe, Seed | undefined, lines: string[], notUndone: string[]][] = [
      [{ operation: "blockCard", outcomes }, undefined, [block], ["blockCard"]],
      [{ operation: "blockCard", undo, outcomes }, undefined, [block, unblock], []],
      [{ operation: "blockCard", undo, outcomes }, refusedSeed, [block], []],
      [{ operation: "getPartnerBalances", undo, outcomes }, undefined, [], []],
      [{ operation: "getPartnerBalances", before: ["blockCard"], undo, outcomes }, refusedSeed, [block], []],
      [
        { operation: "getPartnerBalances", before: ["unblockCard", "blockCard"], undo, outcomes },
        refusedSeed,
        [unblock, block],
        ["unblockCard"],
      ],
      [
        { operation: "blockCard", undo, outcomes },
        { operation: "unblockCard", status: 400, set: { "": refusal("P434") } },
        [block, unblock],
        ["blockCard"],
      ],
      // After an error of a gateway, or an internal error of the service, the call may have changed data.
      [
        { operation: "blockCard", undo, outcomes },
        { operation: "blockCard", status: 504, text: "" },
        [block, unblock],
        [],
      ],
      [
        { operation: "getPartnerBalances", before: ["blockCard"], undo, outcomes },
        { operation: "blockCard", status: 400, set: { "": refusal("P500") } },
        [block, unblock],
        [],
      ],
      [{ operation: "blockCard", outcomes }, { operation: "blockCard", status: 502 }, [block], ["blockCard"]],
      [
        { operation: "blockCard", undo, outcomes },
        { operation: "unblockCard", status: 302 },
        [block, unblock],
        ["blockCard", "unblockCard"],
      ],
    ];
    for (const [probe, seed, lines, notUndone] of cases) {
      service.seed = seed;
      service.requests.length = 0;
      const { text } = await runProbes([probe], "--write");
      expect(service.requests.map(({ line }) => line).filter((line) => line.startsWith("PATCH"))).toEqual(lines);
      expect(text.match(/(?<=^- )\w+(?= at \S+, \d+$)/gm) ?? []).toEqual(notUndone);
      expect(text.includes("NOT UNDONE")).toBe(seed?.operation === "unblockCard");
    }
  });

  it.each(probeCases)(
    "reports for $id what another service shows",
    async ({ id, verdict, evidence, change, ...seed }) => {
      service.seed = seed;
      const [question] = await runForAnswers("--write", "--question", id);
      const finding = question?.findings.find((candidate) => candidate.change?.startsWith(`${change}: `));
      expect([question?.id, question?.verdict, finding?.evidence.slice(0, evidence.length)]).toEqual([
        id,
        verdict,
        evidence,
      ]);
    },
  );

  it("prints Markdown without personal data, and exits with 1 when an assumption is contradicted", async () => {
    service.seed = { operation: "getCardLimits", set: { "/holder": "Lena Vogel" } };
    const { text, code } = await run("--question", "Q-card-operations");
    expect(code).toBe(1);
    expect(text).toMatch(/^# Open questions: 0 answered, 1 contradicted, 0 open\n/);
    expect(text).toContain("- getCardLimits → 200; /holder unlisted-field\n  - Others: ");
    expect(text).not.toMatch(new RegExp(`Lena|user-1042|${key}`));
  });

  it("draws no conclusion from a web page in place of responses", async () => {
    const page = await serveInTest(
      (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>"),
    );
    const allAnswers = await runForAnswers("--base-url", page.url, "--deposit-base-url", page.url);
    expect(allAnswers.filter(({ verdict }) => verdict !== "open")).toEqual([]);
    expect(JSON.stringify(allAnswers)).toContain("its body is not JSON that the client accepts");
  });

  it("continues after a call without a response", async () => {
    const disconnectingServer = await serveInTest((request, response) => {
      if (request.url?.includes("card")) return void response.destroy();
      response.writeHead(404).end();
    });
    const { text } = await run("--question", "Q-unknown-ids", "--base-url", disconnectingServer.url);
    expect(text).toContain("getTransferDetails → 404");
    expect(text).toContain(`- ${disconnectingServer.url} cannot be called: the connection broke.`);
  });

  it("undoes what a probe changed, even beyond --max-calls, and reports what it could not undo", async () => {
    const askArguments = ["--write", "--question", "Q-card-status"];
    await runForAnswers(...askArguments);
    expect(service.requests.slice(-3).map(({ line }) => line)).toEqual([
      "PATCH /v1/card/block",
      expect.stringMatching("GET /v1/card/details/"),
      "PATCH /v1/card/unblock",
    ]);
    const calls = service.requests.length;
    const limitedRun = await run(...askArguments, "--max-calls", String(calls - 2));
    expect(service.requests.at(-1)?.line).toBe("PATCH /v1/card/unblock");
    expect(limitedRun.text).toContain(`- not called, because --max-calls is ${calls - 2}`);
    expect(limitedRun.code).toBe(3);
    service.seed = { operation: "unblockCard", status: 500 };
    const [question] = await runForAnswers(...askArguments);
    expect(question?.findings[0]?.evidence).toContain("; NOT UNDONE: call unblockCard");
  });

  it("reports what it has found and changed when --max-calls is reached", async () => {
    const args = ["--write", "--max-calls", "25"];
    expect((await run(...args)).text).toMatch(/## Changed and not reverted\n\n- \w+ at \S+, 201/);
    const { text, code } = await run(...args, "--format", "json");
    const { answers, calls, changes } = JSON.parse(text);
    expect([answers.length, code]).toEqual([plan.probes.questions.length, 3]);
    expect(calls).toBeGreaterThanOrEqual(25);
    expect(changes).toContainEqual({ operationId: "createOrderRateLock", response: "201", at: expect.any(String) });
  });

  it("undoes a suspension that got no response, and reports what stays changed if that fails", async () => {
    const lines: string[] = [];
    const disconnectingServer = await serveInTest(async (request, response) => {
      const { method = "", url = "", headers } = request;
      lines.push(`${method} ${url}`);
      const body = method === "GET" ? null : new Uint8Array(await readBody(request));
      const key = String(headers["x-api-key"]);
      const init = { method, body, headers: { "x-api-key": key, "content-type": "application/json" } };
      const serviceResponse = await fetch(`${service.url}${url}`, init);
      if (/\/(un)?suspend/.test(url)) return void response.destroy();
      const responseHeaders = Object.fromEntries(serviceResponse.headers);
      response.writeHead(serviceResponse.status, responseHeaders).end(await serviceResponse.text());
    });
    const { text } = await run("--write", "--question", "Q-suspended-user", "--base-url", disconnectingServer.url);
    const suspensions = lines.flatMap((line) => /\b(un)?suspend\b/.exec(line)?.[0] ?? []);
    expect(suspensions.slice(0, 2)).toEqual(["suspend", "unsuspend"]);
    expect(text).toContain("NOT UNDONE: call unsuspendUser");
    expect(text).toMatch(
      /## Changed and not reverted\n\n- suspendUser at \S+, no response\n- unsuspendUser at \S+, no response/,
    );
  });

  const writtenLines = () => service.requests.map(({ line }) => line).filter((line) => !line.startsWith("GET"));

  it("makes no call that changes data after Ctrl+C when nothing was changed before", async () => {
    signal = AbortSignal.abort();
    await expect(run("--write")).rejects.toThrow("the command was stopped");
    expect(service.requests).toEqual([]);
  });

  it("undoes after Ctrl+C only what the probe has changed itself", async () => {
    const controller = new AbortController();
    signal = controller.signal;
    service.onRequest = (line) => {
      if (line === "PATCH /v1/card/block") controller.abort();
    };
    const { text, code } = await run("--write", "--question", "Q-suspension-cards");
    expect(writtenLines()).toEqual(["PATCH /v1/card/block", "PATCH /v1/card/unblock"]);
    expect(text).not.toContain("not reverted");
    expect(code).toBe(3);
  });

  it("undoes nothing when the service refuses the key", async () => {
    const lines: string[] = [];
    const refusingServer = await serveInTest(({ method }, response) => {
      lines.push(String(method));
      response.writeHead(401).end();
    });
    const args = ["--write", "--question", "Q-suspended-user", "--base-url", refusingServer.url];
    await expect(run(...args)).rejects.toThrow("refuses the API key");
    expect(lines).toEqual(["GET"]);
  });

  it("counts no change when the connection was refused", async () => {
    const closedServer = await serveInTest(() => {});
    await closedServer.close();
    const outcomes = [{ answer: "assumed", status: 200 }];
    const probes = [
      { operation: "getCryptoDepositDetails", outcomes },
      { operation: "blockCard", undo: { blockCard: "unblockCard" }, outcomes },
    ];
    const { text } = await runWith(
      { values: {}, questions: [{ ...ownQuestion, probes }] },
      ...["--write", "--base-url", closedServer.url],
    );
    expect(text).toContain("connection refused");
    expect(text).not.toMatch(/NOT UNDONE|not reverted/);
  });

  it("leaves a question open when its preparing call is refused, with the status", async () => {
    // `suspendUser` is refused with P454, because the user of the scenario has an active card.
    const [question] = await runForAnswers("--write", "--question", "Q-suspended-user");
    expect([question?.verdict, question?.findings[0]?.evidence]).toEqual(["open", "suspendUser → 400"]);
    expect(service.requests.filter(({ line }) => line.includes("unsuspend"))).toEqual([]);
  });

  it("reports wrong options", async () => {
    await expect(run("--question", "Q-card-statuses")).rejects.toThrow(
      "There is no probe of Q-card-statuses. Did you mean Q-card-status?",
    );
    await expect(run("--write", "--base-url", "https://api.example")).rejects.toThrow(
      "--write works with --environment staging",
    );
  });
});
