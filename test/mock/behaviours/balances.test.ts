import { describe, expect, it } from "vitest";
import { openBalances } from "../../../scripts/mock/behaviours/balances.ts";
import type { MockWorld } from "../../../scripts/mock/behaviours/behaviour.ts";
import { makeAddress } from "../../../scripts/mock/behaviours/identifiers.ts";
import { tenantForEach } from "./tenant.ts";

const tenant = tenantForEach((newTenant) => newTenant.addUser("user-1"));

const user = { externalUserId: "user-1" };
const readAccount = () => tenant.readBalances("user-1").fiatBalances[0];

/** ISO 7064 MOD 97-10, calculated in another way than in the mock. */
function isValidIban(iban: string): boolean {
  const rearrangedIban = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(
    /[A-Z]/g,
    (letter) => `${letter.charCodeAt(0) - 55}`,
  );
  return [...rearrangedIban].reduce((remainder, digit) => (remainder * 10 + Number(digit)) % 97, 0) === 1;
}

describe("the balances of a user", () => {
  it("get their wallets and then the account number, with an event for each", () => {
    tenant.advance(1);
    expect(tenant.eventsOf("walletCreated").map(({ currency, network }) => `${currency} ${network}`)).toEqual([
      "btc btc",
      "usdc ethereum",
      "eth ethereum",
      "pol polygon",
    ]);
    expect(tenant.eventsOf("ibanStatus")).toEqual([]);
    tenant.advance(1);
    expect(tenant.eventsOf("ibanStatus")).toEqual([{ externalUserId: "user-1", iban: null, status: "PENDING" }]);
    tenant.advance(2);
    const { iban, status } = readAccount();
    expect(status).toBe("ACTIVE");
    expect(iban).toMatch(/^DE\d{2}00000000\d{10}$/);
    expect(isValidIban(iban)).toBe(true);
    expect(tenant.eventsOf("ibanStatus")[1]).toEqual({ externalUserId: "user-1", iban, status: "APPROVED" });
  });

  it("show every cryptocurrency with its decimals, rate, wallet and networks, as in the examples", () => {
    tenant.advance(10);
    const { cryptoBalances } = tenant.readBalances("user-1");
    expect(cryptoBalances.map(({ name, amount }: Record<string, string>) => `${name} ${amount}`)).toEqual([
      "usdc 0.000000",
      "btc 0.00000000",
      "eth 0.00000000",
      "ltc 0.00000000",
      "pol 0.00000000",
    ]);
    const [usdc, btc, , ltc] = cryptoBalances;
    expect(usdc.networkConfig.polygon).toEqual({
      mainnet: false,
      name: "amoy",
      withdrawal: { feeWithdrawal: 0.3, minWithdrawal: 5 },
      deposit: { minDeposit: 2 },
    });
    expect(usdc).toMatchObject({ rate: 0.925, wallet: expect.stringMatching(/^0x[0-9a-f]{40}$/) });
    expect(btc.wallet).toMatch(/^tb1q[02-9ac-hj-np-z]{38}$/);
    expect(ltc.wallet).toBeNull();
    expect(tenant.readBalances("user-1").cryptoBalances).toEqual(cryptoBalances);
  });

  it("are generated once", () => {
    tenant.runNow(() => openBalances(tenant.world, "user-1"));
    expect(tenant.eventsOf("userBalanceGeneration")).toHaveLength(1);
  });

  it("are gone once the user is deleted, and send no more events", () => {
    tenant.setAccess("user-1", "deleted");
    tenant.advance(60);
    expect(tenant.call("getUserBalances", user).code).toBe("P412");
    expect(tenant.eventsOf("walletCreated")).toEqual([]);
    expect(tenant.eventsOf("ibanStatus")).toEqual([]);
  });

  it("get no account number when the user is deleted after requesting it", () => {
    tenant.advance(2);
    tenant.setAccess("user-1", "deleted");
    tenant.advance(60);
    expect(tenant.eventsOf("ibanStatus").map(({ status }) => status)).toEqual(["PENDING"]);
  });
});

describe("external events", () => {
  it("rejects an account number, which is final", () => {
    tenant.advance(2);
    tenant.triggerEvent("iban.ibanIsDecided", { externalUserId: "user-1", status: "REJECTED" });
    tenant.advance(60);
    expect(readAccount()).toMatchObject({ iban: null, status: "WAITING_TO_BE_ACTIVATED" });
    expect(tenant.eventsOf("ibanStatus").map(({ status }) => status)).toEqual(["PENDING", "REJECTED"]);
    expect(() => tenant.triggerEvent("fiatBalance.balanceIsActivated", user)).toThrow(/REJECTED, which is final/);
    expect(() => tenant.triggerEvent("iban.ibanIsDecided", user)).toThrow(/REJECTED/);
    expect(() => tenant.triggerEvent("iban.ibanIsRequested", user)).toThrow(/REJECTED already/);
  });

  it("activates a balance at once, and the scheduled decision has no further effect", () => {
    tenant.triggerEvent("fiatBalance.balanceIsActivated", user);
    const { iban, status } = readAccount();
    expect(status).toBe("ACTIVE");
    tenant.advance(60);
    expect(readAccount().iban).toBe(iban);
    expect(tenant.eventsOf("ibanStatus")).toHaveLength(2);
  });

  it("requests an account number early", () => {
    expect(tenant.triggerEvent("iban.ibanIsRequested", user).states.status).toBe("PENDING");
    expect(() => tenant.triggerEvent("iban.ibanIsRequested", { externalUserId: "nobody" })).toThrow(/no user nobody/);
  });

  it("creates a wallet in a currency without an automatic wallet", () => {
    tenant.advance(1);
    const wallet = tenant.triggerEvent("wallet.walletIsCreated", { ...user, currency: "ltc" });
    expect(wallet.id).toMatch(/^tltc1q[02-9ac-hj-np-z]{38}$/);
    expect(tenant.triggerEvent("wallet.walletIsCreated", { externalUserId: null, currency: "ltc" }).owner).toBeNull();
    expect(() => tenant.triggerEvent("wallet.walletIsCreated", { ...user, currency: "ltc" })).toThrow(/already/);
    expect(() => tenant.triggerEvent("wallet.walletIsCreated", { ...user, currency: "eur" })).toThrow(/must be one of/);
  });
});

describe("wallets", () => {
  it.each([
    ["btc", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"],
    ["polygon", "0x751e76e8199196d454941c45d1b3a323f1433bd6"],
  ])("have valid addresses, in %s (BIP 173)", (network, address) => {
    const ids = { hex: () => "751e76e8199196d454941c45d1b3a323f1433bd6" };
    expect(makeAddress({ ids } as unknown as MockWorld, network)).toBe(address);
  });
});

describe("the partner", () => {
  const createWallet = (currency: string) => tenant.call("createPartnerWallet", { currency });

  it("has balances from the start, with an active account, without wallets and events", () => {
    tenant.takeNewEvents();
    const balances = tenant.readBalances(null);
    expect(balances.fiatBalances).toMatchObject([{ name: "eur", amount: "0.00", status: "ACTIVE" }]);
    expect(balances.cryptoBalances.map(({ wallet }: { wallet: unknown }) => wallet)).toEqual(Array(5).fill(null));
    expect(tenant.readBalances(null)).toEqual(balances);
    expect(tenant.takeNewEvents()).toEqual([]);
  });

  it("gets a wallet later, with its event, and only one in each currency", () => {
    for (const _ of [1, 2]) expect(createWallet("LTC")).toMatchObject({ status: 201 });
    const walletIn = () => tenant.readBalances(null).cryptoBalances[3].wallet;
    expect(walletIn()).toBeNull();
    tenant.advance(1);
    createWallet("ltc");
    tenant.advance(1);
    const createdWallets = tenant.eventsOf("walletCreated").filter(({ externalUserId }) => externalUserId === null);
    expect(createdWallets).toEqual([{ externalUserId: null, currency: "ltc", network: "ltc", wallet: walletIn() }]);
  });
});
