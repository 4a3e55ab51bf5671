import { describe, expect, it } from "vitest";
import { filesOf, newUser, passport, tenantForEach, userPath } from "./tenant.ts";

const tenant = tenantForEach();

const create = (id: string, changes: object = {}) => tenant.call("createUserAccount", newUser(id, changes));
const update = (id: string, body: object) => tenant.call("updateUser", { ...userPath(id), body });

function verify(id: string) {
  tenant.call("addKycFiles", filesOf(id, ["front_id", "selfie"]));
  tenant.call("addUserVerification", passport(id));
  tenant.pass(60);
}

describe("creating", () => {
  it("returns an identifier, and whether the country requires a proof of address", () => {
    expect(create("user-1")).toMatchObject({ status: 201, body: { poaRequiredForExtended: false } });
    expect(create("user-2", { country: "DE" })).toMatchObject({ status: 201, body: { poaRequiredForExtended: true } });
  });
});

describe("updating", () => {
  it("releases the unique values that the user had before", () => {
    create("user-1");
    const body = { phone: "447700999", email: "Lena@post.example", city: "Lisboa" };
    expect(update("user-1", body)).toMatchObject({ status: 200, body: { message: "User updated successfully" } });
    expect(create("user-2", { phone: "4477001", email: "user-1@mail.example" }).status).toBe(201);
    expect(create("user-3", { phone: "447700999" }).code).toBe("P464");
    expect(create("user-3", { email: "lena@post.example" }).code).toBe("P465");
    expect(tenant.world.records.get("user", "user-1").data.attributes).toMatchObject({
      ...body,
      firstName: "Lena",
    });
  });

  it("accepts the user's own unique values, in any notation", () => {
    create("user-1");
    expect(update("user-1", { email: "User-1@Mail.Example", phone: "4477001", country: "PT" }).status).toBe(200);
    expect(create("user-2", { email: "user-1@mail.example" }).code).toBe("P465");
  });
});

describe("extending", () => {
  it("requires a verified user, and can be repeated", () => {
    create("user-1");
    verify("user-1");
    expect(tenant.call("extendUser", userPath("user-1")).status).toBe(201);
    expect(tenant.call("extendUser", userPath("user-1")).status).toBe(201);
    expect(tenant.world.records.get("user", "user-1").states.verification).toBe("extended");
  });
});

describe("suspending", () => {
  const access = () => tenant.world.records.get("user", "user-1").states.access;

  it("blocks the user until the suspension ends, and can be repeated", () => {
    create("user-1");
    expect(tenant.call("suspendUser", userPath("user-1")).status).toBe(200);
    expect(tenant.call("suspendUser", userPath("user-1")).status).toBe(200);
    expect(access()).toBe("suspended");
    expect(tenant.call("unsuspendUser", userPath("user-1")).status).toBe(200);
    expect(tenant.call("unsuspendUser", userPath("user-1")).status).toBe(200);
    expect(access()).toBe("active");
  });
});

describe("deleting", () => {
  it("releases phone, e-mail and document number for another user", () => {
    create("user-1");
    verify("user-1");
    tenant.call("deleteUser", userPath("user-1"));
    expect(create("user-2", { phone: "4477001", email: "user-1@mail.example" }).status).toBe(201);
    tenant.call("addKycFiles", filesOf("user-2", ["front_id", "selfie"]));
    expect(tenant.call("addUserVerification", passport("user-2", { documentNumber: "ZS-user-1" })).status).toBe(201);
  });

  it("cancels pending effects for the user", () => {
    create("user-1");
    tenant.call("addKycFiles", filesOf("user-1", ["front_id", "selfie"]));
    tenant.call("addUserVerification", passport("user-1"));
    tenant.call("deleteUser", userPath("user-1"));
    tenant.newEvents();
    tenant.pass(3600);
    expect(tenant.newEvents()).toEqual([]);
  });
});
