import { ControlError } from "../checks/error.ts";
import { MockError } from "../kernel/transactions.ts";
import { memoize } from "../memoize.ts";
import type { Currency } from "../plan/assumptions.ts";
import type { BehaviourGroup, MockWorld, Reply } from "./behaviour.ts";
import type { EventFields } from "./external-event.ts";
import { availableUnits } from "./funds.ts";
import { makeIban } from "./identifiers.ts";
import type { Resource, ResourceData } from "./records.ts";
import { decisionEvent } from "./steps.ts";
import { ownerExists } from "./users.ts";
import { amountText, cryptocurrenciesOf, currencyOf, responseFee, unitsOf } from "./values.ts";
import { walletOf } from "./wallets.ts";

export function openBalances(world: MockWorld, owner: string): void {
  if (world.records.find("userBalances", owner) !== undefined) return;
  world.create("userBalances", { id: owner, owner, data: {} });
  world.create("fiatBalance", { id: world.ids.uuid(), owner, data: newBalance(world) });
  const { wallet, iban } = world.assumptions.delays;
  world.schedule(wallet, "createUserWallets", { owner });
  world.schedule(iban, "requestIban", { owner });
}

export function fiatBalanceOf(world: MockWorld, owner: null): Resource<"fiatBalance">;
export function fiatBalanceOf(world: MockWorld, owner: string | null): Resource<"fiatBalance"> | undefined;
export function fiatBalanceOf(world: MockWorld, owner: string | null): Resource<"fiatBalance"> | undefined {
  const [balance] = world.records.listOwned("fiatBalance", owner);
  return balance ?? (owner === null ? world.transactions.runDerived(() => openPartnerBalance(world)) : undefined);
}

/** Does not use `world.create`, which can send events: a call that only reads must cause no event. */
function openPartnerBalance(world: MockWorld): Resource<"fiatBalance"> {
  const data = { ...newBalance(world), iban: makeIban(world, "code") };
  const record = { id: world.ids.uuid(), owner: null, createdAt: world.now, data };
  const balance = world.records.add("fiatBalance", record);
  world.records.move(balance, "ACTIVE");
  return balance;
}

function newBalance(world: MockWorld): ResourceData["fiatBalance"] {
  return {
    currency: "eur",
    iban: null,
    transferTitle: `REF-${world.ids.hex(10).toUpperCase()}`,
    cryptoIds: Object.fromEntries(cryptocurrenciesOf(world).map((code) => [code, world.ids.uuid()])),
  };
}

function balancesOf(
  world: MockWorld,
  { id, owner, data, states }: Resource<"fiatBalance">,
): Reply<"getUserBalances">["body"] {
  const { list } = world.assumptions.currencies;
  return {
    fiatBalances: [
      {
        id,
        name: data.currency,
        amount: amountText(world, availableUnits(world, owner, data.currency), data.currency),
        rate: Number(list[data.currency]?.rate),
        iban: data.iban,
        status: states.status ?? "",
      },
    ],
    cryptoBalances: Object.entries(data.cryptoIds).map(([currency, cryptoId]) => ({
      id: cryptoId,
      name: currency,
      amount: amountText(world, availableUnits(world, owner, currency), currency),
      rate: Number(list[currency]?.rate),
      wallet: walletOf(world, owner, currency)?.id ?? null,
      networkConfig: networkConfig(world, currency),
    })),
  };
}

type NetworkConfig = ReturnType<typeof makeNetworkConfig>;

/** The network configurations depend only on the `withdrawals` assumptions and on the currency. */
const configsOf = memoize((_withdrawals: object) => new WeakMap<Currency, NetworkConfig>());

function networkConfig(world: MockWorld, code: string): NetworkConfig {
  const configs = configsOf(world.assumptions.withdrawals);
  const currency = currencyOf(world, code);
  const config = configs.get(currency) ?? makeNetworkConfig(world, code);
  configs.set(currency, config);
  return config;
}

function makeNetworkConfig(world: MockWorld, code: string) {
  const toResponseFee = (amount: string) => responseFee(world, unitsOf(world, amount, code), code);
  const { networks = {} } = currencyOf(world, code);
  const entries = Object.entries(networks).map(([network, { chain, fee, minWithdrawal, minDeposit }]) => [
    network,
    {
      mainnet: false,
      name: chain,
      withdrawal: { feeWithdrawal: toResponseFee(fee), minWithdrawal: toResponseFee(minWithdrawal) },
      deposit: { minDeposit: toResponseFee(minDeposit) },
    },
  ]);
  return Object.fromEntries(entries);
}

function decideIban(world: MockWorld, owner: string, status: string): void {
  const iban = world.records.get("iban", owner);
  const balance = fiatBalanceOf(world, owner);
  if (balance === undefined) throw new MockError(`${owner} has no balance for the account number.`);
  if (status === "APPROVED") {
    const accountNumber = makeIban(world, "code");
    world.records.change(iban, { iban: accountNumber });
    world.records.change(balance, { iban: accountNumber });
    world.move(balance, "ACTIVE");
  }
  world.move(iban, status);
}

function createIban(world: MockWorld, owner: string): Resource<"iban"> {
  const iban = world.create("iban", { id: owner, owner, data: { iban: null } });
  world.schedule(world.assumptions.delays.iban, "approveIban", { owner });
  return iban;
}

export const balances: BehaviourGroup = {
  operations: {
    getPartnerBalances: ({ world }) => ({ status: 200, body: balancesOf(world, fiatBalanceOf(world, null)) }),

    getUserBalances({ world, path, refuse }) {
      const { externalUserId } = path;
      const balance = fiatBalanceOf(world, externalUserId);
      if (balance === undefined) return refuse("P459", `the balances of ${externalUserId} are not generated yet`);
      return { status: 200, body: balancesOf(world, balance) };
    },
  },

  jobs: {
    requestIban(world, { owner = "" }) {
      const isRequested = world.records.find("iban", owner) !== undefined;
      if (!isRequested && ownerExists(world, owner)) createIban(world, owner);
    },
    approveIban(world, { owner = "" }) {
      const iban = world.records.get("iban", owner);
      if (iban.states.status === "PENDING" && ownerExists(world, owner)) decideIban(world, owner, "APPROVED");
    },
  },

  externalEvents: {
    "fiatBalance.balanceIsActivated": (world, input) => {
      const balance = requireBalance(world, input);
      const owner = input.text("externalUserId");
      const iban = world.records.find("iban", owner) ?? createIban(world, owner);
      if (iban.states.status !== "PENDING") {
        throw new ControlError(`The account number of ${owner} is ${iban.states.status}, which is final.`);
      }
      decideIban(world, owner, "APPROVED");
      return balance;
    },
    "iban.ibanIsRequested": (world, input) => {
      requireBalance(world, input);
      const owner = input.text("externalUserId");
      const iban = world.records.find("iban", owner);
      if (iban !== undefined)
        throw new ControlError(`The account number of ${owner} is ${iban.states.status} already.`);
      return createIban(world, owner);
    },
    ...decisionEvent("iban", "ibanIsDecided", (world, { id }, status) => decideIban(world, id, status)),
  },
};

export function requireBalance(world: MockWorld, input: EventFields): Resource<"fiatBalance"> {
  const owner = input.text("externalUserId");
  const balance = ownerExists(world, owner) ? fiatBalanceOf(world, owner) : undefined;
  if (balance !== undefined) return balance;
  throw new ControlError(`There is no user ${owner} with balances: they are generated after the verification.`);
}
