/**
 * Changes each value of `openapi/mock.yaml` in turn. Every operation whose response then differs must list the questions of the value's
 * section in `x-mock-assumes`.
 */
import { expect, it } from "vitest";
import type { Assume } from "../../generated/control/types.ts";
import { createMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";
import { send } from "./codes/calls.ts";
import { type Fixture, makeFixture, mockOf, successOf } from "./codes/fixture.ts";

type Value = string | number | boolean | null | readonly string[];
type Tree = { readonly [name: string]: Tree | Value };

interface Schema {
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly type?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
}

const schema = plan.control.find(({ operationId }) => operationId === "changeAssumptions")?.body?.schema as Schema;

function variantsOf(
  tree: Tree,
  schemaPart: Schema = schema,
  path: readonly string[] = [],
): { path: string; assume: Assume }[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const memberPath = [...path, name];
    const memberSchema = schemaPart.properties?.[name] ?? schemaPart.additionalProperties ?? {};
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return variantsOf(value as Tree, memberSchema, memberPath);
    const changedValue = path[0] === "delays" ? 86_400 : otherValue(value, memberSchema);
    return {
      path: memberPath.join("."),
      assume: memberPath.reduceRight<unknown>((innerValue, part) => ({ [part]: innerValue }), changedValue) as Assume,
    };
  });
}

function otherValue(value: unknown, memberSchema: Schema): unknown {
  if (memberSchema.enum !== undefined) return memberSchema.enum.find((candidate) => candidate !== value);
  if (typeof value === "boolean") return !value;
  if (value === null)
    return memberSchema.pattern !== undefined ? "P497" : [memberSchema.type].flat().includes("integer") ? 1 : "1";
  if (Array.isArray(value) && value.length === 0)
    return /P/.test(memberSchema.items?.pattern ?? "")
      ? ["P500"]
      : [400, "email"].slice(memberSchema.items?.type === "integer" ? 0 : 1).slice(0, 1);
  if (value === "UTC") return "Asia/Tokyo";
  if (/^P\d{3}$/.test(String(value))) return "P497";
  if (typeof value === "number") return value < 60 ? (value + 7) * 3 : 1;
  if (Array.isArray(value)) return /^X/.test(value[0]) ? ["DE"] : [];
  if (/^\d{8}$/.test(String(value))) return "12345678";
  if (/^\d/.test(String(value))) return "7.5";
  return String(value) === "DE" ? "AT" : String(value).replace(/^\w{4}/, "ABCD");
}

// Matches generated values, which are not compared, because they depend on the number of values generated before.
const generatedValue =
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]{40,}|\b[0-9a-f]{64}\b|\bt(b|ltc)1\w+|REF-\w{10}|411111\d{10}|(?<="(cvv|cardLastDigits)":")\d{3,4}|(?<=[A-Z]{2})\d\d(?=\d{18}\b)|(?<=[A-Z]{2}\d{10})\d{10}\b/g;

async function responsesOf(
  fixture: Fixture,
  assume?: Assume,
): Promise<Map<string, { text: string; assumedQuestions: string[] }>> {
  const responses = new Map<string, { text: string; assumedQuestions: string[] }>();
  const mock = mockOf(fixture, assume);
  let isChanged = false;
  for (const { operationId, method } of plan.operations) {
    if (isChanged) mock.reset();
    isChanged = method !== "GET";
    const response = await send(mock, successOf(fixture, operationId));
    const text = `${response.status} ${(await response.text()).replace(generatedValue, "…")}`;
    responses.set(operationId, { text, assumedQuestions: response.headers.get("x-mock-assumes")?.split(", ") ?? [] });
  }
  mock.close();
  return responses;
}

it("every response that changes with an assumption names the questions of that assumption", async () => {
  const plainMock = createMock(plan);
  const allVariants = variantsOf(plainMock.assumptions as Tree);
  plainMock.close();
  expect(allVariants.length).toBeGreaterThan(80);
  const responsesBefore = await responsesOf(await makeFixture(plan));
  const unnamedQuestions = new Set<string>();
  const sectionsWithEffect = new Set<string>();
  for (const { path, assume } of allVariants) {
    const [section = ""] = path.split(".");
    const { questions } = plan.assumptions[section as keyof typeof plan.assumptions];
    const fixture = await makeFixture(plan, assume).catch(() => undefined);
    const responsesAfter = await responsesOf(fixture ?? (await makeFixture(plan)), assume);
    for (const [operationId, { text, assumedQuestions }] of responsesAfter) {
      if (text === responsesBefore.get(operationId)?.text) continue;
      sectionsWithEffect.add(section);
      if (!questions.every((question) => assumedQuestions.includes(question)))
        unnamedQuestions.add(`${section}: ${operationId}`);
    }
  }
  expect([...unnamedQuestions].sort()).toEqual([]);
  // The compared responses, each of one successful call, need not depend on these sections.
  const optionalSections = ["deletion", "refused", "effects", "repeats", "successes", "webhooks", "details", "users"];
  const expectedSections = Object.keys(plainMock.assumptions).filter((section) => !optionalSections.includes(section));
  expect([...sectionsWithEffect].filter((section) => !optionalSections.includes(section)).sort()).toEqual(
    expectedSections.sort(),
  );
}, 900_000);
