import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { beforeEach, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/base/index.ts";
import { plan } from "../../support/plan.ts";
import type { Fields } from "./calls.ts";
import { makeFixture, mockOf } from "./fixture.ts";
import { resolveAll, type Step, takeSteps } from "./refusals.ts";

interface Row {
  readonly before?: readonly Step[];
  readonly with?: Fields;
  readonly message: string;
}

const text = readFileSync(`${projectRoot}/test/mock/codes/refused-events.yaml`, "utf8");
const rows = Object.entries(parseYaml(text) as Record<string, Row[]>).flatMap(([event, list]) =>
  list.map((row) => [event, row.message, row] as const),
);

const fixture = await makeFixture(plan);
const mock = mockOf(fixture);
beforeEach(() => mock.reset());

it.each(rows)("%s: %s", async (event, message, row) => {
  const resolve = await takeSteps(mock, fixture, row.before, Object.assign({}, ...Object.values(fixture.values)));
  const [resource = "", name = ""] = event.split(".");
  const state = JSON.stringify(mock.state());
  const trigger = () => mock.triggerEvent(resource as never, name as never, resolveAll(row.with, resolve) as never);
  expect(trigger).toThrow(message);
  expect(trigger).toThrow(expect.objectContaining({ name: "ControlError" }));
  expect(JSON.stringify(mock.state())).toBe(state);
});
