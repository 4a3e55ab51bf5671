import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readArguments } from "../../scripts/cli/kit/arguments.ts";
import { askCommand, runAsk } from "../../scripts/cli/package/ask.ts";
import { readBody, serveInTest } from "../support/http.ts";
import { plan } from "../support/plan.ts";
import { key, knownValues, type Seed, type SeededService, serveSeeded } from "./seeded-service.ts";

const text = readFileSync(new URL("./realities.yaml", import.meta.url), "utf8");
const realities = parseYaml(text) as (Seed & { id: string; verdict: string; evidence: string; change: string })[];

let service: SeededService;
// `ask --write` changes the state of the service, so each test has a new service.
beforeEach(async () => {
  service = await serveSeeded();
});
afterEach(() => service.close());

async function run(...args: string[]) {
  const parsedArguments = readArguments(askCommand("ask"), [
    ...args,
    ...knownValues.flatMap((value) => ["--set", value]),
  ]);
  return await runAsk(parsedArguments, plan, { env: service.env });
}

interface AnsweredQuestion {
  id: string;
  verdict: string;
  findings: { verdict: string; evidence: string; change?: string }[];
}

async function runForAnswers(...args: string[]): Promise<AnsweredQuestion[]> {
  return JSON.parse((await run("--format", "json", ...args)).text) as AnsweredQuestion[];
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
    expect((await runForAnswers("--question", "Q-history-order")).map((each) => each.verdict)).toEqual([verdict]);
  });

  it.each(realities)(
    "reports for $id what another service shows",
    async ({ id, verdict, evidence, change, ...seed }) => {
      service.seed = seed;
      const [question] = await runForAnswers("--write", "--question", id);
      const finding = question?.findings.find((each) => each.change?.startsWith(`${change}: `));
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
    await expect(run(...askArguments, "--max-calls", String(calls - 2))).rejects.toThrow("Raise --max-calls.");
    expect(service.requests.at(-1)?.line).toBe("PATCH /v1/card/unblock");
    service.seed = { operation: "unblockCard", status: 500 };
    const [question] = await runForAnswers(...askArguments);
    expect(question?.findings[0]?.evidence).toContain("; NOT UNDONE: call unblockCard");
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
