import { assumesNothing, emptyRegisters, type ModelRegisters, type Registers } from "../../contract/model/index.ts";
import { type RunnableAnswers, readRunnableAnswers, type Sources } from "../../contract/sources/index.ts";
import type { Plan } from "../plan/plan.ts";
import type { Probe, Probes } from "../plan/probes.ts";

export interface PlanRegisters extends ModelRegisters {
  scenario: unknown;
  assumptions: unknown;
  questions: Plan["questions"];
  probes: Probes;
}

export const noPlanRegisters: PlanRegisters = {
  ...emptyRegisters,
  scenario: undefined,
  assumptions: {},
  questions: {},
  probes: { values: {}, names: {}, questions: [], texts: {} },
};

/** @throws {UsageError} when a file cannot be read, or is malformed. */
export function readPlanRegisters(sources: Sources): PlanRegisters {
  const { answers, mock, probes, scenario } = sources.layout;
  const registers = sources.registers();
  return {
    ...registers,
    scenario: sources.has(scenario) ? sources.register("scenario") : undefined,
    assumptions: sources.optionalLocation(mock)?.value,
    questions: questionsOf(sources.has(answers) ? readRunnableAnswers(sources) : {}, registers),
    probes: probesOf(sources.has(probes) ? sources.register("probes") : {}, registers),
  };
}

function questionsOf(answers: RunnableAnswers, { questions }: Registers): Plan["questions"] {
  const entries = Object.entries(questions).map(([id, { question, rank, assumption }]) => {
    return [id, { question, rank, assumption, answers: answers[id] ?? {} }];
  });
  return Object.fromEntries(entries);
}

interface ProbesFile extends Partial<Pick<Probes, "values" | "names">> {
  questions?: Record<string, readonly (Omit<Probe, "operation"> & { operation: string | readonly string[] })[]>;
}

function probesOf(file: ProbesFile, { questions }: Registers): Probes {
  const { values = {}, names = {}, questions: probesByQuestion = {} } = file;
  const probedQuestions = Object.entries(questions).flatMap(([id, entry]) => {
    const probes = probesByQuestion[id]?.flatMap((probe) =>
      [probe.operation].flat().map((operation): Probe => ({ ...probe, operation })),
    );
    const { question, assumption, change } = entry;
    return probes === undefined
      ? []
      : [{ id, question, assumption, assumesNothing: assumesNothing(entry), change, probes }];
  });
  const texts = Object.fromEntries(Object.entries(questions).map(([id, { question }]) => [id, question]));
  return { values, names, questions: probedQuestions, texts };
}
