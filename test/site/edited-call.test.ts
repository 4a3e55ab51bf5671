import { expect, it } from "vitest";
import { EditedCall } from "../../scripts/site/assets/browser/sending/edited-call.ts";
import type { EditableField, PageCall } from "../../scripts/site/samples/page-call.ts";

const call: PageCall = {
  method: "POST",
  url: "http://127.0.0.1:4010/v1/users/u%2F1/cards?page=2&sort=up",
  template: "/v1/users/{userId}/cards",
  headers: {},
  json: { amount: "1", limits: { day: 5 } },
};

const field = (place: EditableField["place"], name: string): EditableField => ({
  place,
  name,
  type: "",
  jsonTypes: [],
});
const [userId, page, size] = [field("path", "userId"), field("query", "page"), field("query", "size")];
const [day, amountValue] = [field("body", "limits.day"), field("body", "amount.value")];

it("reads the values of parameters and members as JSON", () => {
  const edited = new EditedCall(call);
  expect([userId, page, size, day].map((field) => edited.read(field))).toEqual(['"u/1"', '"2"', undefined, "5"]);
  expect(edited.result()).toEqual(call);
});

it("sets parameters, and removes one from the query that is empty", () => {
  const edited = new EditedCall(call);
  edited.setParameter(userId, "a b");
  edited.setParameter(page, "");
  edited.setParameter(size, "9");
  expect(edited.result()).toEqual({ ...call, url: "http://127.0.0.1:4010/v1/users/a%20b/cards?sort=up&size=9" });
  edited.setParameter(userId, "");
  expect(edited.result()).toBe("userId is empty, and part of the path");
});

it("sets and removes members, except in a value that is no object", () => {
  const edited = new EditedCall({ ...call, text: '{"amount":1.50,"limits":{"day":5}}' });
  expect([edited.setMember(day, "6.0"), edited.setMember(amountValue, "1")]).toEqual([true, false]);
  expect(edited.result()).toMatchObject({ json: { amount: 1.5, limits: { day: 6 } }, text: edited.text });
  expect(edited.text).toMatch(/"amount": 1\.50,\s+"limits": \{\s+"day": 6\.0\s/);
  expect(edited.setMember(day, undefined)).toBe(true);
  expect(edited.result()).toMatchObject({ json: { amount: 1.5 } });
});

it("cannot be sent while the text is no JSON", () => {
  const edited = new EditedCall(call);
  edited.text = "{";
  expect([edited.textError === undefined, edited.result()]).toEqual([false, "the body is not JSON"]);
});
