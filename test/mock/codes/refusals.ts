import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { projectRoot } from "../../../scripts/base/index.ts";
import { behaviours } from "../../../scripts/mock/behaviours/index.ts";
import type { InProcessMock } from "../../../scripts/mock/host/mock.ts";
import type { PlanOperation } from "../../../scripts/mock/plan/plan.ts";
import { type Call, type Fields, makeFile, withValues } from "./calls.ts";
import { type Fixture, perform, successOf } from "./fixture.ts";

export type Step =
  | { readonly call: string; readonly with?: Fields; readonly keep?: string }
  | { readonly event: string; readonly with?: Fields; readonly keep?: string }
  | { readonly advance: string }
  | { readonly extend: string }
  | { readonly user: string; readonly attributes?: Record<string, string>; readonly extended?: boolean };

export interface Row {
  readonly why: string;
  readonly before?: readonly Step[];
  readonly with?: Fields;
  /** The message of the refusal must contain `names`, and the response must not contain `hides`. */
  readonly names?: string;
  readonly hides?: string;
  /** The open question that the refusal must name, because the rule is an assumption of the mock. */
  readonly question?: string;
  /** The API key to send instead of the usual one; null to send none. */
  readonly key?: string | null;
}

type Table = Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>>;
const table = parseYaml(readFileSync(`${projectRoot}/test/mock/codes/refusals.yaml`, "utf8")) as Table;

/** Documented refusals that only a fault can provoke, each with the reason. */
const reasonsForFaults: Readonly<Record<string, string>> = {
  P500: "an unforeseen failure of the service, which has no cause in a request",
  P501: "the service is temporarily unavailable, which has no cause in a request",
  "getKycStatus P459":
    "when it is answered is not known (Q-refusal-codes): the operation tells of users who are not verified",
};

/** The documented refusals and notices of an operation, each by its P-code, or by its status if it has none. */
export function codesAndStatusesOf({ responses }: PlanOperation): string[] {
  const documentedResponses = responses.filter(({ status, code }) => status >= 400 || code !== undefined);
  return [...new Set(documentedResponses.map(({ status, code }) => code ?? String(status)))].sort();
}

export function needsFault(fixture: Fixture, operation: PlanOperation, codeOrStatus: string): boolean {
  const { operationId } = operation;
  if (codeOrStatus in reasonsForFaults || `${operationId} ${codeOrStatus}` in reasonsForFaults) return true;
  const isProvoked = (candidate: PlanOperation) => refusalsOf(fixture, candidate, codeOrStatus).length > 0;
  if (isProvoked(operation)) return false;
  return behaviours[operationId] === undefined || !fixture.plan.operations.some(isProvoked);
}

export function tableEntries(): { operationId: string; codeOrStatus: string }[] {
  return Object.entries(table).flatMap(([ids, rowsByCode]) =>
    ids
      .split(" ")
      .flatMap((operationId) => Object.keys(rowsByCode).map((codeOrStatus) => ({ operationId, codeOrStatus }))),
  );
}

export function refusalsOf(fixture: Fixture, operation: PlanOperation, codeOrStatus: string): Row[] {
  const call = successOf(fixture, operation.operationId);
  if (codeOrStatus === "401")
    return [null, "", " ", "key-of-a-stranger"].map((key) => ({ why: `the key ${key}`, key }));
  return [
    ...rowsByState(operation, codeOrStatus),
    ...rowsByParameter(operation, codeOrStatus),
    ...rowsByBody(call, codeOrStatus),
    ...rowsOf(operation.operationId, codeOrStatus),
  ];
}

function rowsOf(operationId: string, codeOrStatus: string): Row[] {
  return Object.entries(table).flatMap(([ids, rowsByCode]) =>
    ids.split(" ").includes(operationId) ? (rowsByCode[codeOrStatus] ?? []) : [],
  );
}

function rowsByState({ requires }: PlanOperation, codeOrStatus: string): Row[] {
  const fields = requires
    .filter(({ code }) => code === codeOrStatus)
    .flatMap(({ expressions }) => expressions.map((place) => place.split(/[./]/).at(-1) ?? ""));
  const rowsForUser = (why: string, user: string, before: Step[] = []) =>
    fields.map((field) => ({ why: `${why} at ${field}`, before, with: { [field]: user }, names: user }));
  if (codeOrStatus === "P412") {
    const deletion = { call: "deleteUser", with: { externalUserId: "owner" } };
    return [...rowsForUser("an unknown user", "nobody"), ...rowsForUser("a deleted user", "owner", [deletion])];
  }
  if (codeOrStatus === "P459") return rowsForUser("a user who is not verified", "newcomer");
  if (codeOrStatus === "P461") return rowsForUser("a user who is verified and not extended", "friend");
  return [];
}

function rowsByParameter({ parameters }: PlanOperation, codeOrStatus: string): Row[] {
  return parameters
    .filter(({ invalidRequest }) => invalidRequest === codeOrStatus)
    .map(({ name, in: location }) => ({
      why: location === "query" ? `without ${name}` : `${name} in another form`,
      with: { [name]: location === "query" ? null : "of-another-form" },
      // A response without a code has a fixed message, which names no value.
      names: /^\d+$/.test(codeOrStatus) ? "" : name,
      ...(location === "query" ? {} : { hides: "of-another-form" }),
    }));
}

const invalidDate = "2026-02-30";

function rowsByBody(call: Call, codeOrStatus: string): Row[] {
  const { invalidRequest, bodies: [body] = [] } = call.operation.requestBody ?? {};
  if (body?.mediaType !== "application/json") return [];
  const kinds: Readonly<Record<string, string | undefined>> =
    typeof invalidRequest === "object" ? invalidRequest : { otherwise: invalidRequest };
  const fields = Object.keys(call.body ?? {});
  const rowsOfOtherType = fields.map((name) => ({ why: `${name} of another type`, with: { [name]: [] }, names: name }));
  const isInvalid = (row: { with: Fields }) => body.validator(withValues(call, row.with).body) === false;
  const rowsInOtherForm = fields
    .map((name) => ({ why: `${name} in another form`, with: { [name]: invalidDate }, names: name, hides: invalidDate }))
    .filter(isInvalid);
  const rowsWithoutField = fields
    .map((name) => ({ why: `without ${name}`, with: { [name]: null }, names: name }))
    .filter(isInvalid);
  return [
    ...(kinds.otherwise === codeOrStatus ? [...rowsOfOtherType, ...rowsInOtherForm] : []),
    ...((kinds.missing ?? kinds.otherwise) === codeOrStatus && kinds.alternative === undefined ? rowsWithoutField : []),
  ];
}

export async function prepare(mock: InProcessMock, fixture: Fixture, operationId: string, row: Row) {
  const successfulCall = successOf(fixture, operationId);
  const knownValues = {
    operation: operationId,
    ...successfulCall.path,
    ...successfulCall.query,
    ...successfulCall.body,
  };
  const resolve = await takeSteps(mock, fixture, row.before, knownValues);
  const call = withValues(successfulCall, resolveAll(withFiles(row.with), resolve));
  return {
    call: row.key === undefined ? call : { ...call, key: row.key ?? undefined },
    names: String(resolve(row.names ?? "")),
    hides: row.hides === undefined ? undefined : String(resolve(row.hides)),
  };
}

export async function takeSteps(
  mock: InProcessMock,
  fixture: Fixture,
  steps: readonly Step[] = [],
  knownFields: Fields,
): Promise<(value: unknown) => unknown> {
  const values: Record<string, unknown> = { ...knownFields };
  const resolve = (value: unknown) =>
    typeof value === "string" && value.startsWith("$") ? values[value.slice(1)] : value;
  for (const step of steps) {
    if ("advance" in step) await mock.clock.advance(step.advance);
    else if ("extend" in step) mock.users.extend(step.extend);
    else if ("user" in step) {
      const { user, ...userOptions } = step;
      mock.users.create(user, userOptions);
    } else if ("event" in step) {
      const [resource = "", name = ""] = step.event.split(".");
      const id = fixture.plan.resources[resource]?.id ?? "";
      const eventIds = id in values && id !== "externalUserId" ? { [id]: values[id] } : {};
      const entity = mock.triggerEvent(resource as never, name as never, { ...eventIds, ...step.with } as never);
      if (step.keep !== undefined) values[step.keep] = entity.id;
    } else {
      const response = await perform(mock, fixture, String(resolve(step.call)), withFiles(step.with));
      if (step.keep !== undefined) values[step.keep] = response[step.keep];
    }
  }
  await mock.settle();
  return resolve;
}

export function resolveAll(values: Fields = {}, resolve: (value: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, resolve(value)]));
}

function withFiles(values: Fields = {}): Fields {
  const isFile = (value: unknown): value is { type?: string; bytes?: number } =>
    typeof value === "object" && value !== null && ("type" in value || "bytes" in value);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isFile(value) ? makeFile(value.type, value.bytes) : value]),
  );
}
