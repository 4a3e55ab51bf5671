import { SourceLocation } from "../../contract/model/index.ts";
import {
  lineOf,
  mapOf,
  mapWith,
  RefusedValue,
  readMockControl,
  resultOrError,
  type Sources,
  text,
  textList,
  violationsOf,
} from "../../contract/sources/index.ts";
import { type Finding, withRemedy } from "../findings.ts";
import { type Judge, nameOneOf } from "../rule.ts";
import type { SourceContract } from "../source-contract.ts";

const mistakes = ["mediaType", "tooLarge", "alternative", "missing", "otherwise"];

/** Schemas of the members of mock.yaml that the control interface cannot change. `Assume` in mock-control.yaml describes the others. */
const fixedMembers: Readonly<Record<string, object>> = {
  questions: textList,
  responses: textList,
  refusals: textList,
  outcomes: mapOf(text),
  kind: { enum: ["fiat", "crypto"] },
  decimals: { type: "integer", minimum: 0 },
  invalidRequests: mapWith(
    { code: text },
    {
      questions: textList,
      operations: mapOf(mapWith({}, { body: { propertyNames: { enum: mistakes } }, parameters: { type: "object" } })),
    },
  ),
};

export const assumptionRules: Record<string, Judge> = {
  "mock-control"({ files: { mockControl }, sources }, check) {
    if (!mockControl.exists) return;
    const control = resultOrError(() => readMockControl(sources));
    if (control instanceof RefusedValue) check.problem(control.problem, control.location, control.remedy);
    else if (control instanceof Error) throw control;
    else check.problem(undefined, mockControl);
  },

  "mock-assumptions"({ files, operations }, check) {
    const { mock } = files;
    for (const { violations, value, summary } of formViolations(files)) check.violations(violations, value, summary);
    const operationIds = operations.map(({ operationId }) => operationId);
    for (const member of fixedMembersIn(mock)) {
      if (member.key !== "responses" && member.key !== "refusals") continue;
      for (const item of member.items()) {
        const remedy = "Correct the operationId, or remove it";
        check(operationIds.includes(String(item.value)), item, `There is no operation ${item.value}`, remedy);
      }
    }

    const currencies = mock.child("currencies", "list").entries();
    const networks = currencies.flatMap(([, currency]) =>
      currency
        .child("networks")
        .entries()
        .map(([name]) => name),
    );
    const codes = currencies.map(([code]) => code);
    const checkNames = (
      kind: string,
      names: readonly string[],
      namedLocations: readonly [unknown, SourceLocation][],
    ) => {
      for (const [name, location] of namedLocations)
        check(names.includes(String(name)), location, `There is no ${kind} ${name}`, nameOneOf([...new Set(names)]));
    };
    const rates = mock.child("exchanges", "rates").entries();
    checkNames("currency", codes, [...rates, ...rates.flatMap(([, others]) => others.entries())]);
    const walletCurrencies = currencies.flatMap(([code, currency]) =>
      currency.child("networks").exists ? [code] : [],
    );
    const wallets = mock.child("wallets", "ofUsers").items();
    checkNames(
      "currency with wallets",
      walletCurrencies,
      wallets.map((item) => [item.value, item]),
    );
    checkNames("network", networks, mock.child("orders", "requiredConfirmations").entries());
  },
};

/** Checks mock.yaml for callers that need the file but do not run lint. */
export function assumptionFindings(sources: Sources): Finding[] {
  const { layout } = sources;
  if (![layout.mock, layout.mockControl].every((file) => sources.has(file))) return [];
  const files = { mock: sources.location(layout.mock), mockControl: sources.location(layout.mockControl) };
  return formViolations(files).flatMap(({ violations, summary }) =>
    violations.map(({ location, problem }) => ({
      ...lineOf(location),
      severity: "error",
      rule: "contract/mock-assumptions",
      message: withRemedy(
        `${summary}: ${problem}`,
        "Correct the value; `npm run lint -- --explain mock-assumptions` describes its form",
      ),
    })),
  );
}

function formViolations({ mock, mockControl }: Pick<SourceContract["files"], "mock" | "mockControl">) {
  const schemas = mockControl.child("components", "schemas");
  if (!mock.exists || !schemas.child("Assume").exists) return [];
  const violations = violationsOf(assumeSchema(schemas), withoutFixedMembers(mock));
  return [
    { violations, value: mock, summary: "The assumptions do not have the required form" },
    ...fixedMembersIn(mock).map((value) => ({
      violations: violationsOf(fixedMembers[value.key] as object, value),
      value,
      summary: `${value.key} does not have the required form`,
    })),
  ];
}

/** Returns the same object for the same document, because compiled schemas are cached by identity. */
export function assumeSchema({ value }: SourceLocation): object {
  const cachedSchema = assumeSchemas.get(value as object);
  if (cachedSchema !== undefined) return cachedSchema;
  const $defs = JSON.parse(JSON.stringify(value).replaceAll("#/components/schemas/", "#/$defs/")) as object;
  const schema = { $ref: "#/$defs/Assume", $defs };
  assumeSchemas.set(value as object, schema);
  return schema;
}
const assumeSchemas = new WeakMap<object, object>();

function withoutFixedMembers(location: SourceLocation): SourceLocation {
  const { source, pointer } = location;
  const text = JSON.stringify(location.value, (key, value) => (Object.hasOwn(fixedMembers, key) ? undefined : value));
  return new SourceLocation(JSON.parse(text), { source, pointer, resolve: () => undefined });
}

function fixedMembersIn(location: SourceLocation): SourceLocation[] {
  return location
    .children()
    .flatMap(([key, part]) => (Object.hasOwn(fixedMembers, key) ? [part] : fixedMembersIn(part)));
}
