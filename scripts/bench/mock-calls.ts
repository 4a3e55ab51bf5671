/** The requests that the bench sends to the mock and to Prism. */
import type { Contract, Operation } from "../contract/index.ts";
import { UsageError } from "../contract/index.ts";
import { type LoadRequest, requestText, sendLoad } from "./mock-load.ts";
import type { MeasuredServer } from "./mock-server.ts";

/** The API key that is sent. */
export const benchKey = "bench-key";

/** How many users send each other money. */
const payers = 20;

/** Makes an endless sequence of requests. */
export type RequestSource = () => LoadRequest;

type Calls = Record<"createUser" | "createTransfer" | "readBalances" | "readPartner", Operation>;

/** A call that needs no user and no body: the first answer of a server that has just been started. */
export function firstPath(contract: Contract): string {
  return callsOf(contract).readPartner.path;
}

/**
 * Requests that are the same again and again: a read, a transfer, and one without its amount, which is refused.
 *
 * @param users exist where the server has a state: they have money.
 */
export function repeatedCalls(
  contract: Contract,
  users: readonly string[] = ["user-1042", "user-2077"],
): RequestSource {
  const { readBalances, readPartner, createTransfer } = callsOf(contract);
  const [from = "", to = ""] = users;
  const transfer = transferBody(from, to);
  const { amount: _, ...incomplete } = transfer;
  return inTurns([
    get(readBalances, from),
    get(readPartner),
    post(createTransfer, transfer, 201),
    post(createTransfer, incomplete, 400),
  ]);
}

/** Calls that change something: new users, and transfers between those who have money, whose balances are read. */
export function actingCalls(contract: Contract): RequestSource {
  const { createUser, createTransfer, readBalances } = callsOf(contract);
  const user = exampleOf(createUser);
  let count = 0;
  return () => {
    count += 1;
    const [from, to] = [payer(count), payer(count + 1)];
    if (count % 4 === 0) {
      const id = `new-${count}`;
      return post(createUser, { ...user, externalUserId: id, email: `${id}@mail.example`, phone: phone(count) }, 201);
    }
    if (count % 4 === 2) return get(readBalances, from);
    return post(createTransfer, transferBody(from, to), 201);
  };
}

/** Creates those who send money. @throws {UsageError} when the mock refuses. */
export async function createPayers({ port }: MeasuredServer): Promise<void> {
  const all = Array.from({ length: payers }, (_, index) => payer(index));
  for (const id of [...all, "user-1042", "user-2077"]) {
    const body = { extended: true, funds: { eur: "100000000.00" } };
    const text = requestText("POST", `/__mock/users/${id}`, benchKey, body);
    await sendLoad(port, () => ({ name: "A user of the bench", text, status: 200 }), {
      milliseconds: 0,
      connections: 1,
    });
  }
}

function callsOf({ operations }: Contract): Calls {
  const find = (id: string): Operation => {
    const found = operations.find(({ operationId }) => operationId === id);
    if (found === undefined) throw new UsageError(`The bench needs ${id}. Choose another operation in mock-calls.ts.`);
    return found;
  };
  return {
    createUser: find("createUserAccount"),
    createTransfer: find("createTransfer"),
    readBalances: find("getUserBalances"),
    readPartner: find("getPartnerBalances"),
  };
}

function payer(index: number): string {
  return `payer-${index % payers}`;
}

/** A number of its own for each user. */
function phone(index: number): string {
  return `4477${String(index).padStart(8, "0")}`;
}

function transferBody(sourceExternalUserId: string, destinationExternalUserId: string) {
  return { sourceExternalUserId, destinationExternalUserId, amount: "0.01", currency: "eur" };
}

function exampleOf({ requestBody }: Operation): object {
  return requestBody?.bodies[0]?.examples[0]?.value as object;
}

function get(operation: Operation, user = ""): LoadRequest {
  const path = operation.path.replace(/\{externalUserId\}/, user);
  return { name: operation.operationId, text: requestText("GET", path, benchKey), status: 200 };
}

function post({ operationId, path }: Operation, body: object, status: number): LoadRequest {
  return { name: operationId, text: requestText("POST", path, benchKey, body), status };
}

function inTurns(requests: readonly LoadRequest[]): RequestSource {
  let count = 0;
  return () => requests[count++ % requests.length] as LoadRequest;
}
