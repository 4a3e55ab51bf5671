/** The input of the checks: copies of openapi/scenario.yaml and of the edition `test`, in which mistakes can be planted. */
import { type Contract, type Example, readContract } from "../../../scripts/contract/model/index.ts";
import { type Step, withExamples } from "../../../scripts/mock/make-plan/scenario/steps.ts";
import { copyOf, sources } from "../../support/contract.ts";

export interface Facts {
  readonly contract: Contract;
  readonly scenario: {
    cast: { users: Record<string, { externalUserId: string }>; [kind: string]: unknown };
    timeline: Writable<Step>[];
    asides: { operation?: string; webhook?: string; example: string; reason: string }[];
  };
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

export async function readFacts(): Promise<Facts> {
  const contract = readContract(await copyOf("test"), sources.registers());
  return { contract, scenario: structuredClone(sources.document(sources.layout.scenario).parsed as Facts["scenario"]) };
}

export interface StepWithBodies extends Step {
  label: string;
  receivedBody: unknown;
}

export function stepsWithBodies({ scenario, contract }: Facts): StepWithBodies[] {
  return scenario.timeline.map((timelineStep, index) => {
    const step = withExamples(timelineStep, contract);
    const { operation, webhook, event, response, body } = step;
    const label = `timeline ${index + 1} (${operation ?? webhook ?? event})`;
    return { ...step, label, receivedBody: operation === undefined ? body : response };
  });
}

export function examplesOf({ contract }: Facts, name: string | undefined): Example[] {
  const subject = [...contract.operations, ...contract.webhooks].find((candidate) => candidate.name === name);
  const { requestBody, responses = [] } = subject ?? {};
  return [requestBody, ...responses].flatMap((part) => (part?.bodies ?? []).flatMap(({ examples }) => examples));
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

export function textsOf(value: unknown): string[] {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [String(value)];
}

export function objectsOf(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const innerObjects = Object.values(value).flatMap(objectsOf);
  return Array.isArray(value) ? innerObjects : [value as Record<string, unknown>, ...innerObjects];
}
