/** How each documented refusal arises by itself: what the contract's marks tell of every operation, and what single ones have besides. */
import type { InProcessMock } from "../../../scripts/mock/mock.ts";
import type { PlanOperation } from "../../../scripts/mock/plan/plan.ts";
import { type Call, withBody, withValueAt } from "./calls.ts";
import { type Stage, successOf } from "./stage.ts";
import { storiesOf } from "./stories.ts";

/** A short story that ends in a refusal: something that happens on the stage, then a call that would otherwise succeed. */
export interface Provocation {
  /** What is wrong. */
  readonly why: string;
  /** What happens before. */
  readonly before?: ((mock: InProcessMock, stage: Stage) => unknown) | undefined;
  readonly call: Call;
  /** What the message has to name of what was sent; undefined for an answer without a P-code, whose message is fixed. */
  readonly names: string | undefined;
}

/** What an operation documents besides its successes: `401`, `404`, or a P-code. */
export function pairsOf({ answers }: PlanOperation): string[] {
  const documented = answers.filter(({ status, code }) => status >= 400 || code !== undefined);
  return [...new Set(documented.map(({ status, code }) => code ?? String(status)))].sort();
}

/** Pairs that cannot arise by themselves, and why. They arise by a fault. */
export function reasonForFault(operation: PlanOperation, pair: string): string | undefined {
  return byFault[`${operation.operationId} ${pair}`] ?? byFault[pair];
}

const byFault: Readonly<Record<string, string>> = {
  P500: "an unforeseen failure of the service, which has no cause in a request",
  P501: "the service is temporarily unavailable, which has no cause in a request",
  "getKycStatus P459":
    "when it is answered is not known (Q-refusal-codes): the operation tells of users who are not verified",
};

/** Every provocation of a pair; none for one that arises by a fault only. */
export function provocationsOf(stage: Stage, operation: PlanOperation, pair: string): Provocation[] {
  const call = successOf(stage, operation.operationId);
  if (pair === "401") return withoutKey(call);
  return [
    ...(byState[pair]?.(call, pair) ?? []),
    ...byParameter(call, pair),
    ...byBody(call, pair),
    ...storiesOf(stage, call, pair),
  ];
}

function withoutKey(call: Call): Provocation[] {
  return [
    { why: "no key", call: { ...call, key: undefined }, names: undefined },
    { why: "an empty key", call: { ...call, key: "" }, names: undefined },
    { why: "another key", call: { ...call, key: "key-of-a-stranger" }, names: undefined },
  ];
}

/** By what `x-requires` says of the person or the card that a call is about, wherever the call names it. */
const byState: Readonly<Record<string, (call: Call, pair: string) => Provocation[]>> = {
  P412: (call, pair) =>
    placesOf(call, pair).flatMap((place) => [
      { why: `an unknown user at ${place}`, call: withValueAt(call, place, "nobody"), names: "nobody" },
      {
        why: `a deleted user at ${place}`,
        before: deleteOwner,
        call: withValueAt(call, place, "owner"),
        names: "owner",
      },
    ]),
  P459: (call, pair) => placesOf(call, pair).map((place) => notVerified(call, place)),
  P461: (call, pair) =>
    placesOf(call, pair).map((place) => ({
      why: "a user who is verified and not extended",
      call: withValueAt(call, place, "friend"),
      names: "friend",
    })),
};

const deleteOwner = (mock: InProcessMock, stage: Stage) => {
  const { operation, path, key } = successOf(stage, "deleteUser");
  const url = `${mock.baseUrl}${operation.path.replace("{externalUserId}", "owner")}`;
  return mock.fetch(url, { method: operation.method, headers: { [operation.keyHeader ?? ""]: key ?? "", ...path } });
};

function notVerified(call: Call, place: string): Provocation {
  return {
    why: `a user at ${place} who is not verified`,
    call: withValueAt(call, place, "newcomer"),
    names: "newcomer",
  };
}

/** Where a call names what a condition is about. */
function placesOf({ operation }: Call, code: string): readonly string[] {
  return operation.requires.filter((requirement) => requirement.code === code).flatMap(({ of }) => of);
}

/** By the answer to an invalid parameter: it is missing, or is no identifier. */
function byParameter(call: Call, pair: string): Provocation[] {
  return call.operation.parameters
    .filter(({ invalidRequest }) => invalidRequest === pair)
    .map(({ name, in: location }) => {
      const place = `$request.${location}.${name}`;
      const isLeftOut = location === "query";
      return {
        why: isLeftOut ? `without ${name}` : `${name} in another form`,
        call: withValueAt(call, place, isLeftOut ? undefined : "of-another-form"),
        names: /^\d+$/.test(pair) ? undefined : name,
      };
    });
}

/** By the answer to an invalid JSON body: each field of another type, or left out. */
function byBody(call: Call, pair: string): Provocation[] {
  const { requestBody } = call.operation;
  const { invalidRequest, bodies = [] } = requestBody ?? {};
  if (bodies[0]?.mediaType !== "application/json") return [];
  const kinds: Readonly<Record<string, string | undefined>> =
    typeof invalidRequest === "object" ? invalidRequest : { otherwise: invalidRequest };
  const fields = Object.keys(call.body ?? {});
  const ofOtherType = fields.map((name) => ({
    why: `${name} of another type`,
    call: withBody(call, { [name]: [] }),
    names: name,
  }));
  const leftOut = fields
    .map((name) => ({ name, call: withBody(call, { [name]: undefined }) }))
    .filter(({ call: changed }) => bodies[0]?.validator(changed.body) === false)
    .map(({ name, call: changed }) => ({ why: `without ${name}`, call: changed, names: name }));
  const missing = kinds.missing ?? kinds.otherwise;
  return [
    ...(kinds.otherwise === pair ? ofOtherType : []),
    ...(missing === pair && kinds.alternative === undefined ? leftOut : []),
  ];
}
