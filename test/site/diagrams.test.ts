import { parseFragment } from "parse5";
import { type ComponentChildren, createElement } from "preact";
import { renderToString } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import type { Resource, State } from "../../scripts/contract/model/index.ts";
import { PageProvider } from "../../scripts/site/components/page-context.ts";
import { expectedResponseOf, operationOfStep } from "../../scripts/site/content/journeys.ts";
import { causesOf, transitionsOf } from "../../scripts/site/content/lifecycle-data.ts";
import { LifecycleDiagram } from "../../scripts/site/diagrams/lifecycle-diagram.tsx";
import { drawLifecycle } from "../../scripts/site/diagrams/lifecycle-layout.ts";
import type { Area, Point } from "../../scripts/site/diagrams/parts.tsx";
import { SequenceDiagram } from "../../scripts/site/diagrams/sequence-diagram.tsx";
import { widthOf } from "../../scripts/site/diagrams/text-size.ts";
import { attribute, type Element, elementsOf, elementsWithClass, textOf } from "./parsed-page.ts";
import { site } from "./whole-site.ts";

const { contract, journeys } = site;
const render = (picture: ComponentChildren, shownContract = contract): string =>
  renderToString(
    createElement(
      PageProvider,
      { value: { site: { ...site, contract: shownContract }, ref: { kind: "home" }, assets: {} } },
      picture,
    ),
  );

const elementsIn = (html: string): Element[] => elementsOf(parseFragment(html));

function attributesOf(html: string, name: string): string[] {
  return elementsIn(html).flatMap((element) => attribute(element, name) ?? []);
}

function countOf(html: string, name: string): number {
  return elementsWithClass(parseFragment(html), name).length;
}

function judgePictures(pictures: readonly string[], maxBytes: number): void {
  const page = pictures.join("\n");
  const ids = attributesOf(page, "id");
  expect(new Set(ids).size).toBe(ids.length);
  const usedIds = attributesOf(page, "aria-labelledby");
  expect(usedIds.filter((id) => !ids.includes(id))).toEqual([]);
  expect(countOf(page, "diagram-picture")).toBe(usedIds.length);
  const titles = elementsIn(page).filter(({ tagName }) => tagName === "title");
  expect(titles.map(textOf)).not.toContain("");
  expect(page).not.toMatch(/ style=|<script|<style| on\w+=/);
  expect(Math.max(...pictures.map(({ length }) => length))).toBeLessThan(maxBytes);
}

function overlaps(a: Area, b: Area, tolerance = 0.5): boolean {
  const [dx, dy] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
  return dx < (a.width + b.width) / 2 - tolerance && dy < (a.height + b.height) / 2 - tolerance;
}

function pointsAlong(points: readonly Point[]): Point[] {
  const steps = Array.from({ length: 21 }, (_, step) => step / 20);
  return points.slice(1).flatMap((endPoint, index) => {
    const startPoint = points[index] as Point;
    return steps.map((fraction) => ({
      x: startPoint.x + (endPoint.x - startPoint.x) * fraction,
      y: startPoint.y + (endPoint.y - startPoint.y) * fraction,
    }));
  });
}

type Drawing = ReturnType<typeof drawLifecycle>;

function collisionsIn({ boxes, dot, arrows, width, height, isNumbered }: Drawing): string[] {
  const sizeOf = (lines: string[]) =>
    isNumbered ? { width: 18, height: 18 } : { width: widthOf(lines, "words"), height: 15 * lines.length };
  const page: Area = { x: width / 2, y: height / 2, width, height };
  const areas = [
    ...boxes.map((box) => ({ name: box.value, area: box as Area })),
    { name: "dot", area: dot },
    ...arrows
      .filter(({ lines }) => lines.length > 0)
      .map((arrow) => ({ name: `label ${arrow.transition.number}`, area: { ...arrow, ...sizeOf(arrow.lines) } })),
  ];
  const pairs = areas.flatMap((a, index) => areas.slice(index + 1).map((b) => [a, b] as const));
  const crossedBoxes = arrows.flatMap(({ points, transition: { number, from, to } }) =>
    boxes
      .filter(({ value }) => value !== from && value !== to)
      .filter((box) => pointsAlong(points).some((point) => overlaps({ ...point, width: 0, height: 0 }, box)))
      .map(({ value }) => `arrow ${number} on ${value}`),
  );
  const outsideAreas = areas.filter(
    ({ area: { x, y, width: w, height: h } }) =>
      Math.abs(x - page.x) > (page.width - w) / 2 || Math.abs(y - page.y) > (page.height - h) / 2,
  );
  return [
    ...pairs.filter(([a, b]) => overlaps(a.area, b.area)).map(([a, b]) => `${a.name} on ${b.name}`),
    ...crossedBoxes,
    ...outsideAreas.map(({ name }) => `${name} outside`),
    ...boxes.filter((box) => widthOf(box.lines, "code") > box.width - 8).map(({ value }) => `${value} beyond its box`),
  ];
}

describe("the lifecycles", () => {
  const lifecycles = contract.resources.flatMap((resource) => resource.states.map((state) => ({ resource, state })));
  const html = lifecycles.map((lifecycle) => render(createElement(LifecycleDiagram, lifecycle)));
  const drawings = lifecycles.map(({ resource, state }) => ({
    name: resource.name,
    drawing: drawLifecycle(state, transitionsOf(state, causesOf(contract, resource, state))),
  }));

  it("name all values and transitions in words", () => {
    for (const [index, { state }] of lifecycles.entries()) {
      const elements = elementsIn(html[index] as string);
      const rows = elements.filter(({ tagName }) => tagName === "tr").map(textOf);
      for (const value of state.values) expect(rows.join("\n")).toContain(value);
      const { initial, transitions } = state.lifecycle;
      for (const value of initial) expect(rows.filter((row) => row.includes(`(new) → ${value}`))).not.toEqual([]);
      for (const [from, next] of Object.entries(transitions)) {
        for (const to of next) expect(rows.filter((row) => row.includes(`${from} → ${to}`))).not.toEqual([]);
      }
      const arrowCount = initial.length + Object.values(transitions).flat().length;
      expect(countOf(html[index] as string, "diagram-arrow")).toBe(arrowCount);
      expect(countOf(html[index] as string, "diagram-inner")).toBe(
        state.values.filter((value) => (transitions[value] ?? []).length === 0).length,
      );
    }
  });

  it("have no overlapping parts", () => {
    const collisionsByLifecycle = drawings.flatMap(({ name, drawing }) =>
      collisionsIn(drawing).map((collision) => `${name}: ${collision}`),
    );
    expect(collisionsByLifecycle).toEqual([]);
  });

  it("have arrows from the top or bottom of one box to the top or bottom of another", () => {
    const distances = drawings.flatMap(({ drawing: { boxes, dot, arrows } }) => {
      return arrows.flatMap(({ points, transition: { from, to } }) => {
        if (from === to) return [];
        const endPoints = [
          { value: from, point: points[0] as Point },
          { value: to, point: points.at(-1) as Point },
        ];
        return endPoints.map(({ value, point }) => {
          const box = boxes.find((candidate) => candidate.value === value) ?? dot;
          return Math.abs(Math.abs(point.y - box.y) - box.height / 2);
        });
      });
    });
    expect(Math.max(...distances)).toBeLessThan(0.2);
  });

  it("are small, have unique ids, and contain neither style nor script", () => judgePictures(html, 12_000));
});

describe("a lifecycle", () => {
  const resource = { ...(contract.resources[0] as Resource), externalEvents: [] };
  const makeState = (values: string[], lifecycle: State["lifecycle"]): State => ({
    ...(resource.states[0] as State),
    values,
    lifecycle,
    markedTransitions: [],
  });
  const diagramWithoutCauses = (state: State) =>
    render(createElement(LifecycleDiagram, { resource, state: state }), { ...contract, operations: [] });

  it("can have loops, transitions both ways, and unreachable values", () => {
    const state = makeState(["A", "B", "ALONE"], { initial: ["A"], transitions: { A: ["A", "B"], B: ["A"] } });
    const transitions = transitionsOf(state, []);
    expect(collisionsIn(drawLifecycle(state, transitions))).toEqual([]);
    expect(countOf(diagramWithoutCauses(state), "diagram-arrow")).toBe(4);
    expect(diagramWithoutCauses(state)).toContain("ALONE");
  });

  it("that is wider than a phone can be scrolled with the keyboard", () => {
    const values = ["A", ..."BCDEFG"].map((letter) => letter.repeat(12));
    const [first = "", ...others] = values;
    const html = diagramWithoutCauses(makeState(values, { initial: [first], transitions: { [first]: others } }));
    expect(attributesOf(html, "tabindex")).toEqual(["0"]);
    expect(attributesOf(html, "aria-label")).toHaveLength(1);
  });
});

describe("the journeys", () => {
  const html = journeys.map((journey) => render(createElement(SequenceDiagram, { journey })));

  it("have an arrow for every call, and the numbers of their steps", () => {
    for (const [index, { steps }] of journeys.entries()) {
      const callCount = steps.filter((step) => operationOfStep(step).source !== "mock").length;
      const page = html[index] as string;
      expect(countOf(page, "diagram-call")).toBe(callCount);
      expect(countOf(page, "diagram-response")).toBe(callCount);
      expect(countOf(page, "diagram-band")).toBe(steps.length - callCount);
      const responses = steps.flatMap((step) => {
        const { status, code } = expectedResponseOf(step);
        return operationOfStep(step).source === "mock" ? [] : `${status} ${code}`.trim();
      });
      const endTexts = elementsWithClass(parseFragment(page), "diagram-end").map(textOf);
      expect(endTexts.filter((text) => /^\d{3}\b/.test(text))).toEqual(responses);
      const codes = responses.flatMap((response) => /P\d+/.exec(response) ?? []);
      expect(attributesOf(page, "href").filter((href) => href.includes("errors/"))).toEqual(
        codes.map((code) => `errors/${code}.html`),
      );
      const digits = elementsWithClass(parseFragment(page), "diagram-digits");
      expect(digits.map(textOf)).toEqual(steps.map((_, step) => String(step + 1)));
    }
  });

  it("have titles, descriptions and unique ids", () => judgePictures(html, 14_000));
});
