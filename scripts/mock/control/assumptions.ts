/** Reads and changes a world's assumptions. `openapi/mock.yaml` describes each member. */
import type { Assume } from "../../../generated/control/types.ts";
import { ControlError } from "../checks/error.ts";
import { unknownMember } from "../checks/fields.ts";
import { validated } from "../checks/schema.ts";
import type { Plan } from "../plan/plan.ts";
import type { Tenant } from "../tenants/tenant.ts";

/** Members that cannot be changed: existing amounts and records depend on them, or they only describe the assumptions. */
const fixed = ["questions", "responses", "refusals", "kind", "decimals", "chain", "invalidRequests"];

export function assumptionsOf({ world }: Tenant): object {
  return changeableAssumptions(world.assumptions);
}

export function changeableAssumptions(assumptions: Plan["assumptions"]): object {
  return JSON.parse(JSON.stringify(assumptions, (name, value) => (fixed.includes(name) ? undefined : value)));
}

/** Changes assumptions. @throws {ControlError} with the accepted values, when a change is invalid; then nothing is changed. */
export function assume(tenant: Tenant, changes: unknown): object {
  checkAssumptions(tenant.world.plan, changes);
  tenant.change((world) => world.assume(changes));
  return assumptionsOf(tenant);
}

/** Checks assumptions. @throws {ControlError} with the accepted values, when an assumption is invalid. */
export function checkAssumptions({ control, assumptions }: Plan, changes: unknown): asserts changes is Assume {
  validated({ control }, "changeAssumptions", changes, "The assumptions");
  const { currencies, wallets, exchanges, orders } = changes as Assume;
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
  const withWallets = codes.filter((code) => list[code]?.networks !== undefined);
  checkNames("wallets.ofUsers", Object.fromEntries(wallets?.ofUsers?.map((code) => [code, code]) ?? []), withWallets);
}

function checkNames(place: string, given: object = {}, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new ControlError(unknownMember(place, unknown, known));
}
