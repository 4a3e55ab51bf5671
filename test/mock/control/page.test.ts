import { expect, it } from "vitest";
import { createMock } from "../../../scripts/mock/host/mock.ts";
import type { FormDescription } from "../../../scripts/mock/page/frame.ts";
import { plan } from "../../support/plan.ts";
import { describedOperations } from "./document.ts";

it("has a form for each operation, and loads nothing from other origins or inline scripts", async () => {
  const mock = createMock(plan);
  const get = async (name: string) => {
    const response = await mock.fetch(`${mock.baseUrl}/__mock/${name}`);
    expect(response.headers.get("content-security-policy"), name).toMatch(/^default-src 'none'; script-src 'self';/);
    return await response.text();
  };
  const forms = JSON.parse(await get("forms.json")) as FormDescription[];
  expect(forms.map(({ operationId }) => operationId)).toEqual(
    describedOperations().map(({ operation }) => operation.operationId),
  );
  const html = await get("");
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
  for (const { tag } of forms) expect(html).toContain(`id="forms-${tag}"`);
  expect(await get("page.js")).not.toMatch(/https?:\/\/|eval\(|innerHTML/);
});
