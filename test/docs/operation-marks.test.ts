/** The pages of operations: how sure each part is stands beside it. */
import { describe, expect, test } from "vitest";
import { markOn, type Place, type Provenance, provenances, walkSchema, weakest } from "../../scripts/contract/index.ts";
import { bodiesOf, complaintsOf } from "./operation-pages.ts";
import { type Element, elementsOf, hasClass, textOf, withClass } from "./parsed-page.ts";
import { site } from "./whole-site.ts";

describe("the page of an operation", () => {
  const expectNone = (judge: Parameters<typeof complaintsOf>[0]) => expect(complaintsOf(judge)).toEqual([]);

  test("marks every field that is less sure than its operation, and no other", () => {
    expectNone((operation, { byId }) =>
      bodiesOf(operation).flatMap(({ prefix, schema, provenance }) =>
        [...surenessOf(schema, provenance)].flatMap(([path, wanted]) => {
          const id = [prefix, path].join("-");
          const shown = markAt(byId.get(id)) ?? operation.provenance;
          return shown === wanted ? [] : [`${id} is ${wanted}, the page says ${shown}`];
        }),
      ),
    );
  });

  test("says how to read a part without a mark", () => {
    expectNone((_, { main }) => {
      const [head] = withClass(main, "subject");
      return textOf(head).includes("Parts without a mark are as sure as the operation") ? [] : ["does not say it"];
    });
  });

  test("marks every code, effect and webhook that is less sure than its operation", () => {
    expectNone((operation, { main }) => {
      const { answers, effects, triggers, provenance = "proposed" } = operation;
      const isWeaker = (mark: Provenance | undefined) => weakest(provenance, mark) !== provenance;
      const rows = [...withClass(main, "codes"), ...withClass(main, "general")].flatMap(elementsOf);
      const codes = answers.flatMap(({ codeRefs, place }) =>
        codeRefs.flatMap(({ code, provenance: own }) => {
          const mark = weakest(provenance, markOn(place), markOn(place.target), own);
          const row = rows.find(({ tagName, childNodes }) => {
            return /^(tr|li)$/.test(tagName) && childNodes.some((child) => textOf(child).startsWith(code));
          });
          return isMarked(row, mark) === isWeaker(mark) ? [] : [`${code} is ${mark}: ${textOf(row)}`];
        }),
      );
      const listed = (name: string, marks: (Provenance | undefined)[]) => {
        const entries = withClass(main, name)
          .flatMap(({ childNodes }) => childNodes)
          .filter((child): child is Element => "tagName" in child && child.tagName === "li");
        return marks.flatMap((mark, index) => {
          const isRight = !isWeaker(mark) || isMarked(entries[index], mark as Provenance);
          return isRight ? [] : [`${name} ${index} is ${mark}`];
        });
      };
      return [
        ...codes,
        ...listed(
          "effects",
          effects.map((effect) => effect.provenance),
        ),
        ...listed(
          "triggers",
          triggers.map(({ webhook, provenance: own }) => {
            const event = site.contract.webhooks.find(({ name }) => name === webhook)?.event;
            return weakest(provenance, own, event?.provenance);
          }),
        ),
      ];
    });
  });
});

/** How sure each field is: as sure as the weakest schema that describes it and what encloses it. */
function surenessOf(schema: Place, enclosing: Provenance): Map<string, Provenance> {
  const found = new Map<string, Provenance>();
  walkSchema(
    schema,
    (place, { path, way }) => {
      if (path.length === 0) return;
      const key = path.join("-");
      found.set(key, weakest(found.get(key) ?? enclosing, ...way.map(markOn), markOn(place)));
    },
    { conditions: false },
  );
  return found;
}

/** What the mark beside the name of a field says; undefined without one. */
function markAt(field: Element | undefined): Provenance | undefined {
  const head = field?.childNodes.find((child): child is Element => "tagName" in child && hasClass(child, "field-head"));
  const marks = (head?.childNodes ?? []).filter((child): child is Element => "tagName" in child);
  return provenances.find((name) => marks.some((mark) => hasClass(mark, `mark-${name}`)));
}

function isMarked(element: Element | undefined, mark: Provenance): boolean {
  return element !== undefined && withClass(element, `mark-${mark}`).length > 0;
}
