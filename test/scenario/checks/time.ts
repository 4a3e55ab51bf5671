/** Time runs forward, and the timestamps within examples agree with the steps that show them. */
import type { Facts } from "../facts.ts";
import { leavesOf, type Moment, momentsOf, objectsOf } from "../story.ts";

const stepTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** The problems of time. */
export function time(facts: Facts): string[] {
  const moments = momentsOf(facts);
  return [
    ...order(moments),
    ...moments.flatMap(created),
    ...moments.flatMap((moment) => ends(moment, facts)),
    ...sameRecords(moments),
  ];
}

function order(moments: Moment[]): string[] {
  return moments.flatMap(({ at, label }, index) => {
    if (!stepTime.test(at)) return [`${label}: ${at} is no time in UTC with milliseconds`];
    const before = moments[index - 1]?.at ?? at;
    return before > at ? [`${label} is at ${at}, before the step that it follows`] : [];
  });
}

/** What is shown exists already. */
function created({ at, label, received }: Moment): string[] {
  return leavesOf(received)
    .filter(({ key }) => key === "createdAt")
    .filter(({ value }) => Date.parse(String(value)) > Date.parse(at))
    .map(({ path, value }) => `${label}: ${path} ${value} is after the step at ${at}`);
}

/** What ends does so after it began, and what has just been created has not ended. */
function ends({ at, label, operation, received }: Moment, { operations }: Facts): string[] {
  const creates = operations[operation ?? ""]?.effects.some(({ kind, later }) => kind === "creates" && !later) ?? false;
  return objectsOf(received).flatMap(({ expiresAt, createdAt }) => {
    if (typeof expiresAt !== "string") return [];
    const start = Math.max(creates ? Date.parse(at) : 0, typeof createdAt === "string" ? Date.parse(createdAt) : 0);
    return Date.parse(expiresAt) > start ? [] : [`${label}: expiresAt ${expiresAt} is before its beginning`];
  });
}

/**
 * A record that is shown several times was created at one time, and not before the call or the happening that it comes
 * from.
 */
function sameRecords(moments: Moment[]): string[] {
  const born = new Map<string, string>();
  const first = new Map<string, string>();
  return moments.flatMap(({ at, label, happens, id: happened, status, received }) => {
    if (happens !== undefined && happened !== undefined) born.set(happened, at);
    return objectsOf(received).flatMap((record) => {
      const id = idOf(record);
      if (id === undefined) return [];
      const { createdAt } = record;
      // An identifier is new in the answer of the call that creates the record, which has no `createdAt`.
      if (typeof createdAt !== "string") {
        if (status !== undefined && !born.has(id)) born.set(id, at);
        return [];
      }
      const known = first.get(id) ?? createdAt;
      first.set(id, known);
      const birth = born.get(id);
      return [
        ...(Date.parse(known) === Date.parse(createdAt)
          ? []
          : [`${label}: ${id} was created at ${known}, not ${createdAt}`]),
        ...(birth === undefined || Date.parse(birth) <= Date.parse(createdAt)
          ? []
          : [`${label}: ${id} was created at ${createdAt}, before ${birth}`]),
      ];
    });
  });
}

/** The identifier of a record; a user's is none. */
function idOf(record: Record<string, unknown>): string | undefined {
  const [, id] = Object.entries(record).find(([key]) => /^id$|[a-z]Id$/.test(key) && !/userId$/i.test(key)) ?? [];
  return typeof id === "string" ? id : undefined;
}
