import { resultOrError } from "../../base/index.ts";
import type { SourceLocation } from "../../contract/model/index.ts";
import {
  assumeForms,
  fixedMembersIn,
  partsOfMock,
  RefusedValue,
  readMockControl,
  readPublishing,
  readStatementSources,
  violationsOf,
} from "../../contract/sources/index.ts";
import { type Check, type Judge, nameOneOf } from "../rule.ts";

/** @throws what the reader throws besides a refusal. */
function checkReader(read: () => unknown, file: SourceLocation, check: Check): void {
  const result = resultOrError(read);
  if (result instanceof RefusedValue) check.problem(result.problem, result.location, result.remedy);
  else if (result instanceof Error) throw result;
  else check.problem(undefined, file);
}

export const assumptionRules: Record<string, Judge> = {
  "mock-control"({ files: { mockControl }, sources }, check) {
    if (mockControl.exists) checkReader(() => readMockControl(sources), mockControl, check);
  },

  "publication-files"({ sources }, check) {
    const { statements, publishing } = sources.layout;
    if (sources.has(statements)) checkReader(() => readStatementSources(sources), sources.location(statements), check);
    if (sources.has(publishing)) checkReader(() => readPublishing(sources), sources.location(publishing), check);
  },

  "mock-assumptions"({ files, operations }, check) {
    const { mock } = files;
    // The rule mock-control reports an invalid schema `Assume`.
    const assume = resultOrError(() => assumeForms(files.mockControl));
    if (!mock.exists || assume === undefined || assume instanceof Error) return;
    for (const { value, form } of partsOfMock(mock, files.mockControl)) {
      const name = value.key === "" ? "The assumptions do" : `${value.key} does`;
      check.violations(violationsOf(form, value), value, `${name} not have the required form`);
    }
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
