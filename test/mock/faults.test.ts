import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessMock, type ReplaceableMock, startMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";
import { mockForPayments } from "./endings.ts";

const body = { destinationExternalUserId: "user-1", currency: "eur", amount: "10.00" } as const;

const notesOf = (mock: InProcessMock) => mock.requests.at(-1)?.notes;

describe("a call that takes effect", () => {
  it.each([{ code: "P501" }, { code: "P500" }, { status: 502 }] as const)(
    "gets %j in place of its response",
    async (outcome) => {
      const { mock, funds, pay } = mockForPayments();
      mock.faults.add({ operation: "createTransfer", ...outcome, carriedOut: true });
      const { status, error } = await pay();
      expect([status, error?.errorCode]).toEqual("code" in outcome ? [400, outcome.code] : [502, undefined]);
      expect(funds()).toBe("15.00");
      expect(notesOf(mock)?.at(-1)).toBe("Carried out; the response was replaced by a fault.");
      mock.faults.add({ operation: "createTransfer", ...outcome });
      await pay();
      expect(funds()).toBe("15.00");
    },
  );

  it("gets the JSON of a gateway, or a P-code that the contract does not list", async () => {
    const { mock, pay } = mockForPayments();
    const resultWith = async (fault: Parameters<typeof mock.faults.add>[0]) => {
      mock.faults.add({ operation: "createTransfer", carriedOut: true, ...fault });
      const { error, response } = await pay();
      return [error?.outcome, error?.errorCode, response?.headers.get("content-type")];
    };
    expect(await resultWith({ status: 502, json: true })).toEqual(["unknown", undefined, "application/json"]);
    expect(await resultWith({ status: 500, code: "P999" })).toEqual(["unknown", "P999", "application/json"]);
    mock.faults.add({ operation: "createTransfer", status: 500, code: "P999" });
    expect((await pay()).error?.errorMessage).toBe("A fault set the status 500.");
  });

  it("is refused without an effect where it is invalid", async () => {
    const { mock, funds, pay } = mockForPayments();
    mock.faults.add({ operation: "createTransfer", code: "P501", carriedOut: true, times: "always" });
    const codes = [await pay(), await pay(), await pay()].map(({ error }) => error?.errorCode);
    expect([codes, funds()]).toEqual([["P501", "P501", "P501"], "5.00"]);
    expect(notesOf(mock)?.at(-1)).toBe("Refused with P433, without an effect; the response was replaced by a fault.");
  });
});

describe("a response cut in the middle of its body", () => {
  let listeningMock: ReplaceableMock;
  beforeAll(async () => {
    listeningMock = await startMock(plan, { clock: "2026-04-01T07:00:00.000Z" });
  });
  afterAll(() => listeningMock.close());

  it("ends in the body of the complete one; the call takes effect unless the fault has a code", async () => {
    const { mock, funds } = mockForPayments();
    listeningMock.users.create("user-1", { verified: true });
    listeningMock.partner.fund({ eur: "25.00" });
    const mocks = [
      [mock, mock.baseUrl, mock.fetch],
      [listeningMock, listeningMock.url, fetch],
    ] as const;
    for (const [control, url, send] of mocks) {
      const headers = { "x-api-key": control.apiKey, "content-type": "application/json" };
      const pay = () => send(`${url}/v1/transfer`, { method: "POST", headers, body: JSON.stringify(body) });
      control.faults.add({ operation: "createTransfer", cut: true });
      control.faults.add({ operation: "createTransfer", code: "P501", cut: true });
      for (const [status, beginning] of [
        [201, '{"transferId"'],
        [400, '{"errorCode":"P501"'],
      ] as const) {
        const response = await pay();
        expect(response.status).toBe(status);
        const reader = response.body?.getReader();
        const chunk = await reader?.read();
        expect(Buffer.from(chunk?.value ?? []).toString()).toMatch(new RegExp(`^${beginning}`));
        await expect(reader?.read()).rejects.toThrow("terminated");
      }
      expect(control.partner.fund({}).eur).toBe("15.00");
    }
    expect([funds(), mock.requests.map(({ notes }) => notes.at(-1))]).toEqual([
      "15.00",
      [
        "Carried out; the response was cut in its body by a fault.",
        "Not carried out; the response was cut in its body by a fault.",
      ],
    ]);
  });
});

it("a fault of one operation lets the calls of others pass", async () => {
  const { mock, pay } = mockForPayments();
  const { number } = mock.faults.add({ operation: "getPartnerBalances", status: 503 });
  expect((await pay()).status).toBe(201);
  expect(mock.faults.list).toMatchObject([{ number, left: 1 }]);
});

describe("a fault with skip", () => {
  it("applies to the calls after the skipped ones, and counts them down", async () => {
    const { mock, pay } = mockForPayments();
    mock.partner.fund({ eur: "100.00" });
    mock.faults.add({ operation: "createTransfer", status: 503, skip: 2, times: 2 });
    const statuses: (number | undefined)[] = [];
    const remainingSkips: (number | undefined)[] = [];
    for (let call = 0; call < 5; call += 1) {
      remainingSkips.push(mock.faults.list[0]?.skip);
      statuses.push((await pay()).status);
    }
    expect(statuses).toEqual([201, 201, 503, 503, 201]);
    expect(remainingSkips).toEqual([2, 1, undefined, undefined, undefined]);
  });
});

describe("a fault with a contradiction, or without any possible call,", () => {
  it.each([
    [{ lose: "response", code: "P501" }, "use carriedOut"],
    [{ lose: "response", status: 502 }, "use carriedOut"],
    [{ lose: "response", cut: true }, "lose cannot be combined with cut"],
    [{ carriedOut: true }, "carriedOut needs a code or a status"],
    [{ carriedOut: false, status: 500 }, "carriedOut must be true"],
    [{ status: 500, skip: 0 }, "skip must be a whole number from 1"],
    [{ skip: 1 }, "at least one of"],
    [{ effectAfter: "5 seconds" }, "effectAfter needs"],
    [{ lose: "request", effectAfter: "5 seconds" }, "effectAfter needs"],
    [{ cut: true, effectAfter: "5 seconds" }, "effectAfter needs"],
    [{ code: "P501", historyAfter: "5 seconds" }, "need a call that takes effect"],
    [{ lose: "request", historyAfter: "5 seconds" }, "need a call that takes effect"],
    [{ code: "P501", effectAfter: "400 days" }, "effectAfter must be 366 days or less"],
    [{ historyAfter: "400 days" }, "historyAfter must be 366 days or less"],
    [{ ends: "UNSUCCESSFUL" }, "ends needs an operation"],
    [{ operation: "createVirtualCard", ends: "UNSUCCESSFUL" }, "Possible are createCryptoWithdrawal, "],
    [
      { operation: "createTransfer", ends: "FAILED" },
      "ends must be one of SUCCESSFUL, UNSUCCESSFUL for createTransfer",
    ],
    [{ operation: "createTransfer", reason: "because" }, "give ends as well"],
    [{ operation: "createTransfer", ends: "SUCCESSFUL", reason: "because" }, "reason applies to failures only"],
    [
      { operation: "createPartnerExchange", ends: "FAILED", reason: "because" },
      "of the resource exchange has no reason",
    ],
    [{ operation: "createTransfer", ends: "UNSUCCESSFUL", code: "P500" }, "need a call that takes effect"],
    [{ webhook: "p2pTransfer" }, "webhook needs deliver"],
    [{ webhook: "p2pTransfr", deliver: "never" }, 'There is no webhook "p2pTransfr". Did you mean p2pTransfer?'],
    [{ deliver: "never", operation: "createTransfer" }, "deliver affects events"],
    [{ deliver: "late" }, "needs a delay"],
    [{ deliver: "never", delay: "1 minute" }, "late"],
    [{ deliver: "sideways" }, 'deliver must be "never", "twice", "late"'],
    [{}, "at least one of"],
    [{ operation: "flyToTheMoon", status: 500 }, "There is no operation"],
    [{ operation: "getPartnerBalances", code: "P412" }, "getPartnerBalances cannot have"],
    [{ operation: "createUserAccount", code: "P433" }, "createUserAccount cannot have"],
    [{ code: "P999" }, "No operation can have"],
    [{ code: "P433", status: 400 }, "only for a P-code that the contract does not list"],
    [{ code: "nonsense", status: 400 }, "only for a P-code that the contract does not list"],
    [{ json: true }, "json needs a status"],
    [{ json: true, code: "P999", status: 400 }, "json needs a status"],
    [{ status: 200 }, "from 400 to 599"],
    [{ status: 500, times: 0 }, "times must be"],
    [{ status: 500, delay: "soon" }, "no length of time"],
    [{ status: 500, colour: "red" }, "has no"],
  ])("is refused: %j", (fault, message) => {
    const { mock } = mockForPayments();
    expect(() => mock.faults.add(fault as never)).toThrow(message);
    expect(mock.faults.list).toEqual([]);
  });
});
