import { describe, expect, it } from "vitest";
import { tenantForEach } from "./tenant.ts";

const tenant = tenantForEach();

const create = tenant.createUser.bind(tenant);
const update = (body: object) => tenant.call("updateUser", user, { body });
const user = { externalUserId: "user-1" };

function verify(id: string) {
  tenant.uploadPassport(id);
  tenant.verify(id);
  tenant.advance(60);
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
    expect(update(body)).toMatchObject({ status: 200, body: { message: "User updated successfully" } });
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
    expect(update({ email: "User-1@Mail.Example", phone: "4477001", country: "PT" }).status).toBe(200);
    expect(create("user-2", { email: "user-1@mail.example" }).code).toBe("P465");
  });
});

describe("extending", () => {
  it("requires a verified user, and can be repeated", () => {
    create("user-1");
    verify("user-1");
    expect(tenant.call("extendUser", user).status).toBe(201);
    expect(tenant.call("extendUser", user).status).toBe(201);
    expect(tenant.world.records.get("user", "user-1").states.verification).toBe("extended");
  });
});

describe("suspending", () => {
  const access = () => tenant.world.records.get("user", "user-1").states.access;

  it("blocks the user until the suspension ends, and can be repeated", () => {
    create("user-1");
    expect(tenant.call("suspendUser", user).status).toBe(200);
    expect(tenant.call("suspendUser", user).status).toBe(200);
    expect(access()).toBe("suspended");
    expect(tenant.call("unsuspendUser", user).status).toBe(200);
    expect(tenant.call("unsuspendUser", user).status).toBe(200);
    expect(access()).toBe("active");
  });
});

describe("deleting", () => {
  it("releases phone, e-mail and document number for another user", () => {
    create("user-1");
    verify("user-1");
    tenant.call("deleteUser", user);
    expect(create("user-2", { phone: "4477001", email: "user-1@mail.example" }).status).toBe(201);
    tenant.uploadPassport("user-2");
    expect(tenant.verify("user-2", { documentNumber: "ZS-user-1" }).status).toBe(201);
  });

  it("cancels pending effects for the user", () => {
    create("user-1");
    tenant.uploadPassport("user-1");
    tenant.verify("user-1");
    tenant.call("deleteUser", user);
    tenant.takeNewEvents();
    tenant.advance(3600);
    expect(tenant.takeNewEvents()).toEqual([]);
  });
});
