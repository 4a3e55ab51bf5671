import { type Answers, checkAnswers } from "../answers/choice.ts";
import { ControlError } from "../checks/error.ts";
import { unknownMemberMessage } from "../checks/fields.ts";
import { validateInput } from "../checks/schema.ts";
import type { Assume } from "../plan/control.ts";
import type { Plan } from "../plan/plan.ts";
import type { Tenant } from "../tenants/tenant.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | false;
}

export function assumptionsOf({ world: { plan, assumptions } }: Tenant): object {
  const changeOperation = plan.control.find(({ operationId }) => operationId === "changeAssumptions");
  return selectDocumented(assumptions, changeOperation?.body?.schema as Schema) as object;
}

function selectDocumented(value: unknown, { properties = {}, additionalProperties }: Schema): unknown {
  if (additionalProperties === undefined) return structuredClone(value);
  const parts = Object.entries(value as object).flatMap(([name, part]) => {
    const schema = properties[name] ?? additionalProperties;
    return schema ? [[name, selectDocumented(part, schema)]] : [];
  });
  return Object.fromEntries(parts);
}

export function assume(tenant: Tenant, changes: unknown): object {
  const { plan, assumptions, answers } = tenant.world;
  checkAssumptions({ ...plan, assumptions }, changes, answers);
  tenant.change((world) => world.assume(changes));
  return assumptionsOf(tenant);
}

/** @throws {ControlError} when a change is invalid; the message says what is accepted. */
export function checkAssumptions(
  { control, assumptions, questions }: Pick<Plan, "control" | "assumptions" | "questions">,
  changes: unknown,
  chosenAnswers: Answers = {},
): asserts changes is Assume {
  validateInput({ control }, "changeAssumptions", changes, "The assumptions");
  const { answers = {}, currencies, wallets, exchanges, orders } = changes as Assume;
  checkAnswers({ questions }, { ...chosenAnswers, ...answers });
  const { list } = assumptions.currencies;
  const codes = Object.keys(list);
  checkNames("currencies.list", currencies?.list, codes);
  for (const [code, currency] of Object.entries(currencies?.list ?? {})) {
    checkNames(`currencies.list.${code}.networks`, currency?.networks, Object.keys(list[code]?.networks ?? {}));
  }
  checkNames("exchanges.rates", exchanges?.rates, codes);
  for (const [code, rates] of Object.entries(exchanges?.rates ?? {}))
    checkNames(`exchanges.rates.${code}`, rates, codes);
  const { requiredConfirmations } = assumptions.orders;
  checkNames("orders.requiredConfirmations", orders?.requiredConfirmations, Object.keys(requiredConfirmations));
  const walletCurrencies = codes.filter((code) => list[code]?.networks !== undefined);
  checkNames(
    "wallets.ofUsers",
    Object.fromEntries(wallets?.ofUsers?.map((code) => [code, code]) ?? []),
    walletCurrencies,
  );
}

function checkNames(path: string, entries: object = {}, allowedNames: readonly string[]): void {
  const unknownName = Object.keys(entries).find((name) => !allowedNames.includes(name));
  if (unknownName !== undefined) throw new ControlError(unknownMemberMessage(path, unknownName, allowedNames));
}
