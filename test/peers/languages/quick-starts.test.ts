import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { projectRoot } from "../../../scripts/base/index.ts";
import { type RunningMock, startMock } from "../../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../../scripts/mock/make-plan/index.ts";
import { proveProgram } from "../../prove/support.ts";
import { withTakenPort } from "../../support/ports.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { buildPrograms, makeSpender, programFor, programsFolder, toolchains, walletOutput } from "./toolchains.ts";

const token = "a-token-for-tests";

let mock: RunningMock;
const scratchFolder = temporaryFolder();
beforeAll(async () => {
  mock = await startMock(await loadPlan(), { edition: "test" });
});
afterAll(() => mock.close());

it("has a toolchain for each language, and a page that shows each of its files", () => {
  expect(readdirSync(programsFolder).sort()).toEqual(Object.keys(toolchains).sort());
  for (const language of Object.keys(toolchains)) {
    const page = readFileSync(`${projectRoot}/openapi/guides/${language}.md`, "utf8");
    for (const file of readdirSync(`${programsFolder}/${language}`)) {
      expect(page.split(`<!-- program ${language}/${file} -->`), `${language}/${file}`).toHaveLength(2);
    }
  }
});

const languages = Object.entries(toolchains).map(
  ([language, toolchain]) => [language, toolchain, programFor(toolchain)] as const,
);
const [availableLanguages, missingLanguages] = [false, true].map((isMissing) =>
  languages.filter(([, { isOptional }, program]) => {
    return (program === undefined && (isOptional === true || !process.env.CI)) === isMissing;
  }),
) as [typeof languages, typeof languages];
for (const [language] of missingLanguages) it.skip(`${language} is not run here: its toolchain is not installed`);

describe.each(availableLanguages)("%s", (language, _, program) => {
  let command: Awaited<ReturnType<typeof buildPrograms>>;
  const outputFor = (key: string, url = mock.url) => walletOutput(command.wallet, url, key);

  beforeAll(async () => {
    expect(program, "Run .ci/system-packages to install the toolchain").toBeDefined();
    command = await buildPrograms(language, join(scratchFolder, language), program as string);
  }, 120_000);

  it("adds amounts exactly and prints readable JSON", async () => {
    const key = `${language}-exact`;
    await makeSpender(mock.tenant(key), mock.url, key, ["0.1", "0.2"]);
    const text = await outputFor(key);
    expect(text).toMatch(/^ +"amount": "?-0\.1"?,?$/m);
    expect(text).toContain("spent in April: -0.3\n");
    expect(text).toContain("refused P433 ask the user to top up");
  });

  it("prints what is known about a payment whose call failed", async () => {
    const key = `${language}-verdicts`;
    const world = mock.tenant(key);
    await makeSpender(world, mock.url, key, ["0.1"]);
    const verdicts = [];
    for (const fault of [{ lose: "response" }, { code: "P501" }, { status: 502 }, { status: 429 }] as const) {
      world.faults.add({ operation: "createTransfer", ...fault });
      verdicts.push(/^(?:unknown|refused) .*/m.exec(await outputFor(key))?.[0]);
    }
    const lookupVerdict = expect.stringMatching(/^unknown .*it may have happened: look before you repeat it$/);
    expect(verdicts).toEqual([
      lookupVerdict,
      lookupVerdict,
      lookupVerdict,
      expect.stringMatching(/^refused .*tell operations: key or allow-list$/),
    ]);
    // The program sent no transfer twice.
    expect(world.requests.filter(({ operation }) => operation === "createTransfer")).toHaveLength(1 + verdicts.length);
    const freePort = await withTakenPort(async (port) => port);
    expect(await outputFor(key, `http://127.0.0.1:${freePort}`)).toContain("not-sent: nothing has happened");
  });

  it("pays at most once, whichever request or response is lost", async () => {
    const calls = ["response-lost", "request-lost", "killed-after", "ends-failed"].map(
      (name) => `${name}:createTransfer:2`,
    );
    const conditionNames = [...calls, "response-lost:createPartnerSepaTransfer:1", "run-twice-at-once"].join();
    const report = await proveProgram("payouts", command.payouts, { only: conditionNames });
    expect(report.findings).toEqual([]);
    const names = conditionNames.split(",").map((conditionName) => conditionName.split(":")[0]);
    expect(report.conditions.map(({ name }) => name).sort()).toEqual([...new Set(names)].sort());
  }, 120_000);

  it("handles an event once", async () => {
    const conditionNames = "five-at-once,everything-again,forged";
    const report = await proveProgram("receiver", command.receiver, { only: conditionNames });
    expect(report.findings).toEqual([]);
    expect(report.conditions).toHaveLength(conditionNames.split(",").length);
  }, 120_000);

  it("refuses invalid events", async () => {
    const state = join(scratchFolder, `${language}.db`);
    const port = await withTakenPort(async (freePort) => freePort);
    const [file, ...args] = command.receiver;
    const env = { ...process.env, PARTNER_WALLET_WEBHOOK_TOKEN: token };
    const runningReceivers: ChildProcess[] = [];
    const start = async () => {
      runningReceivers.push(
        spawn(file, [...args, "serve", String(port), state], { env, stdio: "ignore", detached: true }),
      );
      const getHealth = () => fetch(`http://127.0.0.1:${port}/webhook/health`);
      await vi.waitFor(async () => expect((await getHealth()).status).toBe(200), { timeout: 20_000 });
    };
    const stop = () => {
      const { pid } = runningReceivers.at(-1) as ChildProcess;
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    };
    const post = async (path: string, body: string, authorization: string | undefined = token) => {
      const headers = { "content-type": "application/json", ...(authorization !== undefined && { authorization }) };
      const response = fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body });
      return await response
        .then(async (response) => `${response.status} ${(await response.text()).trim()}`)
        .catch(() => "closed");
    };
    const depositBody = (id: string, amount: string) =>
      `{"id":"${id}","externalUserId":"user-a","amount":${amount},"currency":"eur","status":"SUCCESSFUL"}`;
    const depositPath = "/sepa-deposit-webhook";
    await start();
    try {
      const firstDeposit = depositBody("one", "0.1");
      expect(await Promise.all([post(depositPath, firstDeposit), post(depositPath, firstDeposit)])).toEqual([
        "200 {}",
        "200 {}",
      ]);
      stop();
      await start();
      expect(await post(depositPath, firstDeposit)).toBe("200 {}");
      expect(await post(depositPath, depositBody("two", '"0.2"'))).toBe("200 {}");
      const forgedEvent = depositBody("three", "9");
      for (const wrongToken of ["", "wrong", `Bearer ${token}`])
        expect(await post(depositPath, forgedEvent, wrongToken)).toBe("401 {}");
      expect(
        (await fetch(`http://127.0.0.1:${port}${depositPath}`, { method: "POST", body: forgedEvent })).status,
      ).toBe(401);
      for (const malformedBody of ["{", "[]", "null", "", "[".repeat(100_000)])
        expect(await post(depositPath, malformedBody)).toMatch(/^400/);
      expect(await post(depositPath, `{"id":"${"x".repeat(5e6)}"}`)).toMatch(/^(413|closed)/);
      expect(await post("/nobody-knows-this", '{"about":"an event of tomorrow"}')).toBe("200 {}");
      // The receiver does not know which fields identify events of this webhook, so it must keep both.
      for (const hash of ["first-hash", "second-hash"]) {
        const withdrawal = { id: "four", status: "IN_PROGRESS", transactionHash: hash };
        expect(await post("/crypto-withdrawal-webhook", JSON.stringify(withdrawal))).toBe("200 {}");
      }
      for (const [index, amount] of ['"a lot"', '"NaN"', "1e999", "-5", "null", "{}"].entries()) {
        expect(await post(depositPath, depositBody(`strange-${index}`, amount))).toBe("200 {}");
      }
      expect(await post(depositPath, depositBody("three", "1e-7"))).toBe("200 {}");
      const stateText = readFileSync(state, "latin1");
      for (const text of ["an event of tomorrow", "a lot", "first-hash", "second-hash"])
        expect(stateText).toContain(text);
      const { stdout } = await promisify(execFile)(file, [...args, "ledger", state], { env });
      expect(JSON.parse(stdout)).toEqual({ sums: { "user-a/eur": "0.3000001" } });
    } finally {
      stop();
    }
  }, 60_000);

  it.each(["an empty token", "no token"])(
    "lets nobody in with %s",
    async (name) => {
      const port = await withTakenPort(async (freePort) => freePort);
      const [file, ...args] = command.receiver;
      const { PARTNER_WALLET_WEBHOOK_TOKEN: _, ...otherVariables } = process.env;
      const env = name === "no token" ? otherVariables : { ...otherVariables, PARTNER_WALLET_WEBHOOK_TOKEN: "" };
      const state = join(scratchFolder, `${language}-open.db`);
      const receiver = spawn(file, [...args, "serve", String(port), state], { env, stdio: "ignore", detached: true });
      const exit = new Promise((resolve) => receiver.once("exit", () => resolve(true)));
      const post = () => fetch(`http://127.0.0.1:${port}/sepa-deposit-webhook`, { method: "POST", body: "{}" });
      try {
        // The receiver in PHP reads the token for each event. The other receivers read it at the start.
        const status = await vi.waitFor(
          () => Promise.race([exit.then(() => "not started"), post().then((response) => response.status)]),
          { timeout: 20_000 },
        );
        expect(status).toBe(language === "php" ? 500 : "not started");
      } finally {
        if (receiver.pid !== undefined && receiver.exitCode === null) process.kill(-receiver.pid, "SIGKILL");
      }
    },
    30_000,
  );
});
