/** Users: what only one of them can have, and what becomes of one who is suspended or deleted. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { loadPlan } from "../../../scripts/plan/index.ts";
import { filesOf, newUser, of, passport, type Stage, stageOf } from "./users.support.ts";

let plan: Plan;
let stage: Stage;

beforeAll(async () => {
  plan = await loadPlan();
});

beforeEach(() => {
  stage = stageOf(plan);
});

const create = (id: string, changes: object = {}) => stage.call("createUserAccount", newUser(id, changes));
const update = (id: string, body: object) => stage.call("updateUser", { ...of(id), body });

function verify(id: string) {
  stage.call("addKycFiles", filesOf(id, ["front_id", "selfie"]));
  stage.call("addUserVerification", passport(id));
  stage.pass(60);
}

describe("creating", () => {
  it("answers with an identifier, and by the country with the need of a proof of address", () => {
    expect(create("user-1")).toMatchObject({ status: 201, body: { poaRequiredForExtended: false } });
    expect(create("user-2", { country: "DE" })).toMatchObject({ status: 201, body: { poaRequiredForExtended: true } });
  });

  it.each([
    ["P411", { externalUserId: "user-1" }],
    ["P464", { phone: "4477001" }],
    ["P465", { email: "USER-1@mail.example" }],
    ["P431", { country: "XF" }],
  ])("is refused with %s for %o", (code, changes) => {
    create("user-1");
    const refused = create("user-2", changes);
    expect(refused.code).toBe(code);
    expect(JSON.stringify(refused.body)).not.toMatch(/mail\.example|4477001/);
  });

  it("leaves no trace when it is refused", () => {
    create("user-1");
    const before = JSON.stringify(stage.session.world.records.dump());
    expect(create("user-2", { email: "user-1@mail.example" }).code).toBe("P465");
    expect(JSON.stringify(stage.session.world.records.dump())).toBe(before);
    expect(create("user-3", { phone: "4477002" }).status).toBe(201);
  });
});

describe("updating", () => {
  it("frees the values that the user had before", () => {
    create("user-1");
    const body = { phone: "447700999", email: "Lena@post.example", city: "Lisboa" };
    expect(update("user-1", body)).toMatchObject({ status: 200, body: { message: "User updated successfully" } });
    expect(create("user-2", { phone: "4477001", email: "user-1@mail.example" }).status).toBe(201);
    expect(create("user-3", { phone: "447700999" }).code).toBe("P464");
    expect(create("user-3", { email: "lena@post.example" }).code).toBe("P465");
    expect(stage.session.world.records.get("user", "user-1").data.attributes).toMatchObject({
      ...body,
      firstName: "Lena",
    });
  });

  it("accepts the values that the user has already, however they are written", () => {
    create("user-1");
    expect(update("user-1", { email: "User-1@Mail.Example", phone: "4477001", country: "PT" }).status).toBe(200);
    expect(create("user-2", { email: "user-1@mail.example" }).code).toBe("P465");
  });

  it("keeps every value when one of them is refused", () => {
    create("user-1");
    create("user-2");
    expect(update("user-1", { phone: "447700999", email: "user-2@mail.example" }).code).toBe("P465");
    expect(create("user-3", { phone: "447700999" }).status).toBe(201);
    expect(create("user-4", { phone: "4477001" }).code).toBe("P464");
  });

  it("refuses another country, and somebody who does not exist", () => {
    create("user-1");
    expect(update("user-1", { country: "DE" }).code).toBe("P452");
    expect(update("user-9", { city: "Faro" }).code).toBe("P412");
  });
});

describe("extending", () => {
  it("needs a verified user, and may be repeated", () => {
    create("user-1");
    expect(stage.call("extendUser", of("user-1")).code).toBe("P459");
    verify("user-1");
    expect(stage.call("extendUser", of("user-1")).status).toBe(201);
    expect(stage.call("extendUser", of("user-1")).status).toBe(201);
    expect(stage.session.world.records.get("user", "user-1").states.verification).toBe("extended");
    expect(stage.call("extendUser", of("user-9")).code).toBe("P412");
  });
});

describe("suspending", () => {
  const access = () => stage.session.world.records.get("user", "user-1").states.access;

  it("shuts a user out until it is ended, and may be repeated", () => {
    create("user-1");
    expect(stage.call("suspendUser", of("user-1")).status).toBe(200);
    expect(stage.call("suspendUser", of("user-1")).status).toBe(200);
    expect(access()).toBe("suspended");
    expect(stage.call("unsuspendUser", of("user-1")).status).toBe(200);
    expect(stage.call("unsuspendUser", of("user-1")).status).toBe(200);
    expect(access()).toBe("active");
  });

  it("is refused while a card is active", () => {
    create("user-1");
    const { world } = stage.session;
    const data = { label: "Trip", pin: "", cardNumber: "", cvv: "", exp: "", limits: {} };
    const card = world.at(world.now, () => {
      const made = world.records.add("card", { id: "card-1", owner: "user-1", createdAt: world.now, data });
      if (made.states.status !== "ACTIVE") world.records.move(made, "ACTIVE");
      return made;
    });
    expect(stage.call("suspendUser", of("user-1")).code).toBe("P454");
    expect(access()).toBe("active");
    world.records.move(card, "DELETED");
    expect(stage.call("suspendUser", of("user-1")).status).toBe(200);
  });
});

describe("deleting", () => {
  it("leaves a user who does not exist for any other call, and an identifier that stays taken", () => {
    create("user-1");
    expect(stage.call("deleteUser", of("user-1"))).toMatchObject({ status: 200 });
    for (const operationId of ["deleteUser", "suspendUser", "unsuspendUser", "extendUser"]) {
      expect(stage.call(operationId, of("user-1")).code, operationId).toBe("P412");
    }
    expect(update("user-1", { city: "Faro" }).code).toBe("P412");
    expect(create("user-1").code).toBe("P411");
  });

  it("frees phone, e-mail and document number for another user", () => {
    create("user-1");
    verify("user-1");
    stage.call("deleteUser", of("user-1"));
    expect(create("user-2", { phone: "4477001", email: "user-1@mail.example" }).status).toBe(201);
    stage.call("addKycFiles", filesOf("user-2", ["front_id", "selfie"]));
    expect(stage.call("addUserVerification", passport("user-2", { documentNumber: "ZS-user-1" })).status).toBe(201);
  });

  it("brings what waits for the user to nothing", () => {
    create("user-1");
    stage.call("addKycFiles", filesOf("user-1", ["front_id", "selfie"]));
    stage.call("addUserVerification", passport("user-1"));
    stage.call("deleteUser", of("user-1"));
    stage.events();
    stage.pass(3600);
    expect(stage.events()).toEqual([]);
  });
});
