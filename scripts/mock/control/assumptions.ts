/** What the mock assumes where nobody states it, as far as a test can change it: `openapi/mock.yaml` says what each member means. */
import type { Assume } from "../../../generated/control/types.ts";
import { ControlError } from "../checks/error.ts";
import { unknownMember } from "../checks/fields.ts";
import { validated } from "../checks/schema.ts";
import type { Plan } from "../plan/plan.ts";
import type { Tenant } from "../tenants/tenant.ts";

/** What amounts and records rest on, and what is said of the assumptions themselves. */
const fixed = ["questions", "responses", "refusals", "kind", "decimals", "chain", "invalidRequests"];

/** What applies in a world now, in the form in which it can be changed. */
export function assumptionsOf({ world }: Tenant): object {
  return changeable(world.assumptions);
}

/** Without what cannot be changed. */
export function changeable(assumptions: Plan["assumptions"]): object {
  return JSON.parse(JSON.stringify(assumptions, (name, value) => (fixed.includes(name) ? undefined : value)));
}

/** @throws {ControlError} when something cannot be assumed, with what is possible; nothing is changed then. */
export function assume(tenant: Tenant, changes: unknown): object {
  checkAssumptions(tenant.world.plan, changes);
  tenant.change((world) => world.assume(changes));
  return assumptionsOf(tenant);
}

/** @throws {ControlError} when something cannot be assumed, with what is possible. */
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
