/** A tenant for the tests of users and their verification: calls, happenings and time. Every answer is checked. */
import { expect } from "vitest";
import type { UploadedFile } from "../../../scripts/mock/behaviours/behaviour.ts";
import { happenings } from "../../../scripts/mock/behaviours/index.ts";
import { Clock } from "../../../scripts/mock/kernel/clock.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { Session } from "../../../scripts/mock/tenants/session.ts";

/** When every test begins. */
export const start = Date.parse("2026-03-02T09:00:00.000Z");

export interface Sent {
  path?: Record<string, string>;
  body?: object;
  files?: Record<string, UploadedFile[]>;
}

/** The name and the body of an event. */
export type Told = [string, unknown];

export interface Stage {
  readonly session: Session;
  /** Calls an operation; the answer fulfils the contract. */
  call(operationId: string, sent?: Sent): { status: number; body: unknown; code: string | undefined };
  /** Lets something happen outside, and returns the states of what it happened to. */
  happen(name: string, about: Record<string, unknown>): Readonly<Record<string, string>>;
  /** Lets time pass, with what happens meanwhile. @param seconds of the clock. */
  pass(seconds: number): void;
  /** The events since the last call of this function. */
  events(): Told[];
}

/** A tenant whose clock stands at {@link start}. */
export function stageOf(plan: Plan): Stage {
  const clock = new Clock(() => start);
  clock.freeze();
  const session = new Session({ plan, seed: "users", clock });
  let told = 0;
  return {
    session,
    call(operationId, sent = {}) {
      const operation = plan.operations.find((candidate) => candidate.operationId === operationId);
      if (operation === undefined) throw new Error(`The plan has no operation ${operationId}.`);
      const { body, files = {} } = sent;
      const {
        status,
        code,
        body: answered,
      } = session.act({
        operation,
        path: sent.path ?? {},
        query: {},
        body: body ?? Object.fromEntries(Object.keys(files).map((name) => [name, "bytes"])),
        amounts: {},
        files,
      });
      const [validator] = Object.entries(operation.answerValidators).flatMap(([key, candidate]) =>
        key.startsWith(`${status} `) ? [candidate] : [],
      );
      expect(validator?.(answered), `${operationId} ${status} ${JSON.stringify(validator?.errors)}`).toBe(true);
      return { status, code, body: answered };
    },
    happen(name, about) {
      const happening = happenings[name];
      if (happening === undefined) throw new Error(`Nothing is called ${name}.`);
      session.world.runJobs(clock.now);
      return session.world.at(clock.now, () => happening(session.world, about)).states;
    },
    pass(seconds) {
      clock.set(clock.now + seconds * 1000);
      session.world.runJobs(clock.now);
    },
    events() {
      const fresh = session.world.outbox.events.slice(told);
      told += fresh.length;
      return fresh.map(({ webhook, body }) => [webhook, JSON.parse(body)]);
    },
  };
}

/** A body that creates a user; phone and e-mail follow from the identifier. */
export function newUser(externalUserId: string, changes: object = {}): Sent {
  const digits = externalUserId.replace(/\D/g, "");
  return {
    body: {
      externalUserId,
      email: `${externalUserId}@mail.example`,
      phone: `447700${digits}`,
      firstName: "Lena",
      lastName: "Vogel",
      city: "Porto",
      postCode: "4000",
      country: "PT",
      birthDate: "1991-07-23",
      ...changes,
    },
  };
}

/** The path of a user. */
export function of(externalUserId: string): Sent {
  return { path: { externalUserId } };
}

/** Files of an upload, by the names of their parts. */
export function filesOf(externalUserId: string, names: string[], changes: Partial<UploadedFile> = {}): Sent {
  const file = { fileName: "scan.jpg", contentType: "image/jpeg", size: 1000, ...changes };
  return { ...of(externalUserId), files: Object.fromEntries(names.map((name) => [name, [file]])) };
}

/** A body that verifies a user with a passport. */
export function passport(externalUserId: string, changes: object = {}): Sent {
  return {
    body: {
      externalUserId,
      documentType: "PASSPORT",
      documentNumber: `ZS-${externalUserId}`,
      documentExpirationDate: "2029-12-12",
      openAccountReason: "DAILY_USE",
      incomeSource: "SALARY",
      occupation: "IT",
      ...changes,
    },
  };
}

/** Creates a user and uploads the files of a passport; their events are over. */
export function prepare(stage: Stage, externalUserId: string, country = "PT"): void {
  stage.call("createUserAccount", newUser(externalUserId, { country }));
  stage.call("addKycFiles", filesOf(externalUserId, ["front_id", "selfie"]));
  stage.pass(10);
  stage.events();
}

/** What events tell of attempts at a verification. */
export function attemptsOf(events: Told[]): unknown[] {
  return events.flatMap(([name, body]) => (name === "kycVerificationStatus" ? [body] : []));
}
