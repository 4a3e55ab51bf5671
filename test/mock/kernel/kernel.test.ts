import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMilliseconds } from "../../../scripts/mock/checks/time.ts";
import { Clock } from "../../../scripts/mock/kernel/clock.ts";
import { Jobs } from "../../../scripts/mock/kernel/jobs.ts";
import { maxEvents, Outbox } from "../../../scripts/mock/kernel/outbox.ts";
import { Records } from "../../../scripts/mock/kernel/records.ts";
import { Transactions } from "../../../scripts/mock/kernel/transactions.ts";

function refuse(transactions: Transactions, work: () => unknown): void {
  const call = () => {
    work();
    throw new Error("refused");
  };
  expect(() => transactions.runAtomically(call)).toThrow("refused");
}

describe("Clock", () => {
  it("follows the system time, can be frozen and moved, and continues", () => {
    let machineTime = 1_000;
    const clock = new Clock(() => machineTime);
    machineTime += 5;
    expect(clock.now).toBe(1_005);
    clock.freeze();
    machineTime += 100;
    expect(clock.now).toBe(1_005);
    clock.freeze(50_000);
    expect(clock.now).toBe(50_000);
    clock.run();
    machineTime += 7;
    expect(clock.now).toBe(50_007);
  });

  it.each<[string | number, number]>([
    [0, 0],
    ["90 seconds", 90_000],
    ["2 days", 172_800_000],
    ["1 hour 30 minutes", 5_400_000],
    ["1.5h", 5_400_000],
    ["1 week", 604_800_000],
  ])("parses %s as a duration", (text, milliseconds) => {
    expect(toMilliseconds(text)).toBe(milliseconds);
  });

  it.each<string | number>(["", "2", "-1 day", "2 fortnights", Number.NaN, -5, Number.POSITIVE_INFINITY])(
    "refuses %s",
    (text) => {
      expect(() => toMilliseconds(text)).toThrow(RangeError);
    },
  );
});

describe("Jobs", () => {
  it("are run in the order of their due times, and of creation if these are equal", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 20 }),
        fc.integer({ min: 0, max: 5 }),
        (times, endTime) => {
          const jobs = new Jobs(new Transactions());
          for (const [index, due] of times.entries()) jobs.add("job", due, { index: String(index) });
          const takenJobs: [number, number][] = [];
          for (let job = jobs.takeDue(endTime); job !== undefined; job = jobs.takeDue(endTime))
            takenJobs.push([job.due, Number(job.about.index)]);
          const dueJobs = [...times.entries()]
            .filter(([, time]) => time <= endTime)
            .map(([index, time]): [number, number] => [time, index]);
          expect(takenJobs).toEqual(dueJobs.sort(([a, i], [b, j]) => a - b || i - j));
          expect(jobs.pendingJobs).toHaveLength(times.length - takenJobs.length);
        },
      ),
    );
  });

  it("that a refused call created or removed are rolled back", () => {
    const transactions = new Transactions();
    const jobs = new Jobs(transactions);
    jobs.add("first", 1, {});
    refuse(transactions, () => {
      jobs.add("second", 0, {});
      expect(jobs.takeDue(5)?.name).toBe("second");
      expect(jobs.takeDue(5)?.name).toBe("first");
    });
    expect(jobs.pendingJobs.map(({ name }) => name)).toEqual(["first"]);
  });
});

describe("Outbox", () => {
  it("forgets events beyond the newest, but none that is still to be delivered", () => {
    const outbox = new Outbox(new Transactions());
    const add = (count: number) => {
      for (let eventIndex = 0; eventIndex < count; eventIndex += 1) outbox.add("iban", 0, "{}");
    };
    const takeFirstNumber = () => outbox.takeNew() && outbox.events[0]?.number;
    add(2 * maxEvents - 1);
    for (const number of [0, 1, 3]) outbox.storeDelivery({ number, state: "delivered", attempts: [], tries: 1 });
    outbox.storeDelivery({ number: 2, state: "pending", attempts: [], tries: 1 });
    expect(takeFirstNumber()).toBe(0);
    add(1);
    expect([takeFirstNumber(), outbox.events[1]?.number, outbox.events.length]).toEqual([2, 4, 2 * maxEvents - 3]);
    expect(outbox.deliveries.map(({ number }) => number)).toEqual([2]);
    outbox.hasReceiver = false;
    add(maxEvents);
    expect([takeFirstNumber(), outbox.events.length]).toEqual([2, 3 * maxEvents - 3]);
    add(maxEvents);
    expect([takeFirstNumber(), outbox.events.length]).toEqual([2, 3 * maxEvents - 3]);
  });
});

describe("Records", () => {
  const resources = {
    lamp: {
      name: "lamp",
      id: "lampId",
      states: {
        status: {
          initial: ["off"],
          transitions: { off: ["on"], on: ["off", "broken"] },
          final: ["broken"],
          results: {},
        },
      },
      externalEvents: {},
    },
  };
  const make = () => {
    const transactions = new Transactions();
    return { transactions, records: new Records<{ lamp: { watts: number } }>(resources, transactions) };
  };
  const lamp = { id: "l1", owner: "u1", createdAt: 5, data: { watts: 4 } };

  it("change only along their lifecycle", () => {
    const { records } = make();
    const entity = records.add("lamp", lamp);
    expect(records.canMove(entity, "broken")).toBe(false);
    expect(() => records.move(entity, "broken")).toThrow("The status of lamp l1 is off and cannot become broken.");
    records.move(entity, "on");
    records.move(entity, "broken");
    expect(() => records.move(entity, "on")).toThrow("is broken and cannot become on");
    expect(entity.states).toEqual({ status: "broken" });
  });

  it("cannot be created with a value that is not initial", () => {
    expect(() => make().records.add("lamp", { ...lamp, states: { status: "on" } })).toThrow(
      "cannot have the status on",
    );
  });

  it("are found by id and by owner, in the order of creation, and can be replaced", () => {
    const { records } = make();
    records.add("lamp", lamp);
    records.add("lamp", { ...lamp, id: "l2", owner: null });
    records.add("lamp", { ...lamp, id: "l3" });
    const secondLamp = records.add("lamp", { ...lamp, data: { watts: 9 } });
    expect(records.find("lamp", "l1")).toBe(secondLamp);
    expect(records.listOwned("lamp", "u1").map(({ id }) => id)).toEqual(["l3", "l1"]);
    expect(records.listOwned("lamp", null).map(({ id }) => id)).toEqual(["l2"]);
    expect(() => records.get("lamp", "l9")).toThrow("There is no lamp l9.");
  });

  it("are rolled back when a call is refused: new and replaced ones, fields, states and claims", () => {
    const { transactions, records } = make();
    const entity = records.add("lamp", lamp);
    records.claim("name", "x", "u1");
    const dumpBefore = structuredClone(records.dump());
    refuse(transactions, () => {
      records.move(entity, "on");
      records.change(entity, { watts: 99 });
      records.add("lamp", lamp);
      records.add("lamp", { ...lamp, id: "l2" });
      records.claim("name", "x", null);
      records.claim("name", "y", "u1");
    });
    expect(records.dump()).toEqual(dumpBefore);
    expect(records.find("lamp", "l1")).toBe(entity);
    expect(records.listOwned("lamp", "u1")).toEqual([entity]);
    expect(records.holderOf("name", "x")).toBe("u1");
  });
});
