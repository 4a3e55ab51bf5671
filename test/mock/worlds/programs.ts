/** Runs programs of the guides, the quick starts and test/prove/corpus in a world. `prove` judges all but `wallet`, whose output is compared. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Answers } from "../../../scripts/mock/answers/index.ts";
import { startMock } from "../../../scripts/mock/host/mock.ts";
import { formatAnswers, parseAnswers } from "../../../scripts/prove/answers.ts";
import { buildPrograms, makeSpender, programFor, toolchains, walletOutput } from "../../peers/languages/toolchains.ts";
import { writePrograms } from "../../prove/guide-programs.ts";
import { proveProgram, writeProgram } from "../../prove/support.ts";
import { plan } from "../../support/plan.ts";

export interface JudgedProgram {
  readonly name: string;
  /** @returns the problems, in words. The seed determines the identifiers, on which the statuses depend with some answers. */
  readonly findProblems: (answers: Answers, seed?: string) => Promise<readonly string[]>;
}

const payouts =
  "no-fault,response-lost:createTransfer:2,ends-failed:createTransfer:1,ends-failed:createPartnerSepaTransfer:1";
const conditionsByKind: Readonly<Record<string, string>> = {
  payouts,
  receiver: "in-order,everything-again,ends-failed",
  treasury: "no-fault,ends-failed",
  onboarding: "no-fault",
};

function makeJudgedProgram(name: string, kind: string, command: readonly string[]): JudgedProgram {
  const findProblems = async (answers: Answers, seed = "test") => {
    const proofOptions = { only: conditionsByKind[kind], answers: formatAnswers(answers), seed };
    const { findings } = await proveProgram(kind, command, proofOptions).catch(() => ({
      // With some answers, the proof of a receiver cannot begin, because its first calls are refused. The receiver is not to blame.
      findings: kind === "receiver" ? [] : [{ kind: "does-not-finish", title: "calls nothing" }],
    }));
    // With an answer that differs from the assumed one, a program may report a row as unclear or failed without a reason.
    return [
      ...new Set(findings.flatMap((finding) => (finding.kind === "reported-without-reason" ? [] : finding.title))),
    ].sort();
  };
  return { name, findProblems };
}

function makeWalletProgram(name: string, command: readonly [string, ...string[]]): JudgedProgram {
  const findProblems = async (answers: Answers) => {
    const mock = await startMock(plan, { edition: "test" });
    try {
      const world = mock.tenant(name);
      await makeSpender(world, mock.url, name, ["0.1", "0.2"]);
      world.answer(answers);
      const text = await walletOutput(command, mock.url, name);
      const expectedTexts = ["spent in April: -0.3\n", "refused P433 ask the user to top up"];
      return expectedTexts.every((part) => text.includes(part)) ? [] : ["other output"];
    } finally {
      await mock.close();
    }
  };
  return { name, findProblems };
}

/** The programs that can run on this machine, and the languages whose toolchains are missing. */
export async function judgedPrograms(
  folder: string,
): Promise<{ programs: JudgedProgram[]; missingLanguages: string[] }> {
  await writePrograms(folder);
  const guideCommand = (file: string) => [process.execPath, join(folder, file)];
  const programs = [
    makeJudgedProgram("payouts.mjs", "payouts", guideCommand("payouts.mjs")),
    makeJudgedProgram("careful.mjs", "payouts", guideCommand("careful.mjs")),
    makeJudgedProgram("receiver.mjs", "receiver", guideCommand("receiver.mjs")),
  ];
  for (const kind of ["treasury", "onboarding"]) {
    const kindFolder = join(folder, kind);
    mkdirSync(kindFolder);
    programs.push(makeJudgedProgram(`${kind}.ts`, kind, writeProgram(kind, "ts", [], kindFolder)));
  }
  const missingLanguages: string[] = [];
  for (const [language, toolchain] of Object.entries(toolchains)) {
    const program = programFor(toolchain);
    if (program === undefined) {
      missingLanguages.push(language);
      continue;
    }
    const command = await buildPrograms(language, join(folder, language), program);
    programs.push(makeJudgedProgram(`payouts in ${language}`, "payouts", command.payouts));
    programs.push(makeJudgedProgram(`receiver in ${language}`, "receiver", command.receiver));
    programs.push(makeWalletProgram(`wallet in ${language}`, command.wallet));
  }
  return { programs, missingLanguages };
}

const nameOf = (level: readonly [string, string]) => level.join("=");

const triedSeeds = ["test", "second", "third"];

/**
 * Compatible answers are tried together. If the program then has problems, each half is tried separately.
 *
 * @param only a text in the names of the answers that are tried.
 * @throws {Error} if a program has problems with several answers together, but not with any single answer.
 */
export async function findProblemsByAnswer(
  { name, findProblems }: JudgedProgram,
  only: string,
): Promise<Map<string, readonly string[]>> {
  const foundByAnswer = new Map<string, readonly string[]>();
  const search = async (answers: readonly [string, string][]): Promise<void> => {
    let foundProblems: readonly string[] = [];
    for (const seed of answers.length === 1 ? triedSeeds : triedSeeds.slice(0, 1)) {
      if (foundProblems.length === 0) foundProblems = await findProblems(Object.fromEntries(answers), seed);
    }
    if (foundProblems.length === 0) return;
    if (answers.length === 1) return void answers.map((level) => foundByAnswer.set(nameOf(level), foundProblems));
    const countBefore = foundByAnswer.size;
    const middle = Math.ceil(answers.length / 2);
    await search(answers.slice(0, middle));
    await search(answers.slice(middle));
    // Repeats the run, because a slow machine could have caused the problems.
    if (foundByAnswer.size === countBefore && (await findProblems(Object.fromEntries(answers))).length > 0)
      throw new Error(`${name}: ${foundProblems.join(", ")}, only with all of ${answers.map(String).join("; ")}`);
  };
  for (const set of parseAnswers(plan, ["all"]).answerSets) {
    const levels = Object.entries(set).filter((level) => nameOf(level).includes(only));
    if (levels.length > 0) await search(levels);
  }
  return foundByAnswer;
}
