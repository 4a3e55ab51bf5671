/** A mock that is killed, or runs out of disk space, restarts with the effects of exactly the calls that got a response. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/contract/model/index.ts";
import { Command } from "../../support/command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { call } from "../raw-http.ts";

/** Number of runs; `KILL_RUNS=100 MOCK_BIN=…/partner-wallet-mock.cjs` tests the published file. */
const runs = Number(process.env.KILL_RUNS ?? 3);
const program = process.env.MOCK_BIN === undefined ? "--import tsx scripts/cli/npm/mock.ts" : process.env.MOCK_BIN;
const command = program.endsWith(".cjs") ? `${program} mock` : program;

const folder = temporaryFolder();
const started: Command[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.kill();
});

/** @param room maximum growth of the journal in bytes. */
async function start(state: string, room?: number): Promise<{ mock: Command; url: string }> {
  const blocks = room === undefined ? "unlimited" : Math.ceil((statSync(state).size + room) / 512);
  const options = `--port 0 --deposit-port 0 --clock 2026-03-10T09:00:00Z --quiet --state ${state}`;
  const mock = new Command(
    "sh",
    ["-c", `ulimit -f ${blocks}; exec ${process.execPath} ${command} ${options}`],
    projectRoot,
  );
  started.push(mock);
  const [, url = ""] = await mock.waitFor(/main address +(http:\S+)/, { limitMs: 60_000 });
  return { mock, url };
}

class Caller {
  readonly #key: string;
  #cents = 0;
  #unanswered = 0;
  refused = 0;

  constructor(number: number) {
    this.#key = `key-${number}`;
  }

  async run(url: string, most = Number.POSITIVE_INFINITY): Promise<void> {
    for (let count = 0; count < most; count += 1) {
      const cents = count % 5 === 4 ? 0 : count % 2 === 0 ? 200 : -100;
      this.#unanswered = cents;
      const status = await this.#change(url, cents).catch(() => undefined);
      if (status === undefined) return;
      this.#unanswered = 0;
      if (status === 500) this.refused += 1;
      else {
        expect([200, 201]).toContain(status);
        this.#cents += cents;
      }
    }
  }

  async #change(url: string, cents: number): Promise<number> {
    const transfer = { sourceExternalUserId: "user", amount: "1.00", currency: "eur" };
    if (cents < 0) return (await this.#call(url, "POST", "/v1/transfer", transfer)).status;
    const [path, body] =
      cents === 0 ? ["clock", { advance: "1 second" }] : ["users/user", { verified: true, funds: { eur: "2.00" } }];
    return (await this.#call(url, "POST", `/__mock/${path}`, body)).status;
  }

  #call(url: string, method: string, path: string, body?: object) {
    return call(url, method, path, body, this.#key);
  }

  /**
   * @returns how many cents the balance differs from the effects of all calls with a response. A difference that the last call explains,
   * which had no response, counts as zero.
   */
  async missing(url: string): Promise<number> {
    const { status, text } = await this.#call(url, "GET", "/v1/user/balances/user");
    const { fiatBalances = [] } = JSON.parse(text) as { fiatBalances?: { name: string; amount: string }[] };
    const amount = status === 200 ? (fiatBalances.find(({ name }) => name === "eur")?.amount ?? "0") : "0";
    const cents = Math.round(Number(amount) * 100);
    const difference = cents - this.#cents;
    const isExplained = difference === 0 || difference === this.#unanswered;
    this.#cents = cents;
    this.#unanswered = 0;
    return isExplained ? 0 : difference;
  }

  async state(url: string): Promise<string> {
    return (await this.#call(url, "GET", "/__mock/state")).text;
  }
}

/** Whether a job is due that could not run because the disk was full. It runs right after the restart, which changes the state. */
function hasDue(state: string): boolean {
  const { clock, jobs } = JSON.parse(state) as { clock: { frozenAt: number }; jobs: { due: number }[] };
  return jobs.some(({ due }) => due <= clock.frozenAt);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

it(
  `after ${runs} times kill -9 and ${runs} times a full disk, everything acknowledged is there and nothing else`,
  async () => {
    const state = join(folder, "state");
    const callers = Array.from({ length: 8 }, (_, number) => new Caller(number));
    const wrong: number[] = [];
    const differing: string[] = [];
    for (let run = 0; run < runs; run += 1) {
      const killed = await start(state);
      const calling = callers.map((caller) => caller.run(killed.url));
      setTimeout(() => killed.mock.signal("SIGKILL"), 150 + Math.random() * 300);
      await Promise.all(calling);
      await killed.mock.ended;

      // The room suffices for the due jobs, which are written before the first read.
      const full = await start(state, 20_000 + Math.floor(Math.random() * 60_000));
      wrong.push(...(await Promise.all(callers.map((caller) => caller.missing(full.url)))));
      const before = sum(callers.map(({ refused }) => refused));
      for (let more = 0; more < 20 && sum(callers.map(({ refused }) => refused)) === before; more += 1) {
        await Promise.all(callers.map((caller) => caller.run(full.url, 20)));
      }
      const states = await Promise.all(callers.map((caller) => caller.state(full.url)));
      full.mock.signal("SIGTERM");
      await full.mock.ended;

      const again = await start(state);
      wrong.push(...(await Promise.all(callers.map((caller) => caller.missing(again.url)))));
      const restored = await Promise.all(callers.map((caller) => caller.state(again.url)));
      differing.push(...restored.filter((text, index) => text !== states[index] && !hasDue(states[index] ?? "")));
      again.mock.signal("SIGTERM");
      await again.mock.ended;
    }
    const lost = wrong.filter((cents) => cents !== 0);
    const refused = sum(callers.map((caller) => caller.refused));
    expect(lost).toEqual([]);
    expect(differing).toEqual([]);
    expect(refused).toBeGreaterThan(0);
  },
  60_000 + runs * 60_000,
);
