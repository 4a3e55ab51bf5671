import { describe, expect, test } from "vitest";
import {
  type JsonSchema,
  markOn,
  type Operation,
  type Provenance,
  propertiesOf,
  provenanceAt,
  provenances,
  type SourceLocation,
  walkSchema,
  weakestProvenance,
} from "../../scripts/contract/model/index.ts";
import { pathOf, relativeHref, slugOf } from "../../scripts/site/content/pages.ts";
import { areaPages } from "../../scripts/site/pages/area.tsx";
import { errorsPage } from "../../scripts/site/pages/error.tsx";
import { lifecyclesPage } from "../../scripts/site/pages/lifecycle.tsx";
import { operationPages, operationsPage } from "../../scripts/site/pages/operation.tsx";
import { webhooksPage } from "../../scripts/site/pages/webhook.tsx";
import {
  isWeak,
  JudgedPage,
  longWords,
  makeJudge,
  namesOf,
  pairsIn,
  pairsOf,
  questionIdsIn,
  questionsOf,
} from "./judged-pages.ts";
import { type Element, elementsOf, elementsWithClass, hasClass, parsePages, textOf } from "./parsed-page.ts";
import { site } from "./whole-site.ts";

const { operations, webhooks, errorCodes, resources } = site.contract;

describe("the page of an operation", () => {
  const expectNone = makeJudge(operationPages, operations, ({ name }) => ({ kind: "operation", name }));

  test("has its sections in their order", () => {
    const sectionTitles = [
      ...["Parameters", "Request body", "Before you call it", "What it changes", "Responses", "Errors"],
      ...["Webhooks it leads to", "What next", "Samples"],
    ];
    expectNone((_, { page: { main } }) => {
      const titles = elementsOf(main).flatMap((element) => (element.tagName === "h2" ? textOf(element) : []));
      const wantedTitles = sectionTitles.filter((title) => titles.includes(title));
      return titles.join() === wantedTitles.join() && titles.includes("Responses") && titles.includes("Samples")
        ? []
        : titles;
    });
  });

  test("shows method, path, operationId, client function, address, edition and provenance", () => {
    expectNone(({ method, path, operationId, address, provenance = "proposed" }, { page: { main } }) => {
      const head = textOf(elementsWithClass(main, "subject")[0]);
      const edition = provenance === "proposed" ? "test" : "latest";
      const words = [
        `${method.toUpperCase()} ${path}`,
        `wallet.${operationId}(…)`,
        ...(address === "base_url" ? [] : ["a different host"]),
        ...(isWeak(provenance) ? [longWords[provenance]] : []),
      ];
      // The provenances `specification` and `reference` have no marks: the list of assumptions shows them.
      const isMarked =
        elementsWithClass(main, "mark-specification").length + elementsWithClass(main, "mark-reference").length > 0;
      const foldedText = textOf(elementsWithClass(main, "open-questions")[0]);
      return [
        ...words.filter((word) => !head.includes(word)),
        ...(head.includes("only the edition “test” of the contract has it") === (edition === "test")
          ? []
          : ["the note of the edition"]),
        ...(isMarked || !(isWeak(provenance) || foldedText.includes(longWords[provenance])) ? [foldedText] : []),
      ];
    });
  });

  test("shows every parameter and field with its values, patterns and sensitivity, and a mark where its provenance is weaker", () => {
    expectNone((operation, page) => [
      ...operation.parameters.flatMap(({ name, in: where, required, example }) => {
        const id = `${where}-${name}`;
        const isPresenceRight = page.text(id).includes("required") === required;
        return [
          ...page.missingWords(id, [name, String(example ?? "")]),
          ...(isPresenceRight ? [] : [`${id} is required: ${required}`]),
        ];
      }),
      ...bodiesOf(operation).flatMap(({ prefix, schema, provenance }) =>
        [...fieldsOf(schema, provenance)].flatMap(([path, { words, weakestMark }]) => {
          const id = `${prefix}-${path}`;
          const shownMark = markAt(page.page.byId.get(id));
          const wantedMark = isWeak(weakestMark, operation.provenance) ? weakestMark : undefined;
          return [
            ...page.missingWords(id, words),
            ...(shownMark === wantedMark ? [] : [`${id} is ${weakestMark}, its mark ${shownMark}`]),
          ];
        }),
      ),
    ]);
  });

  test("shows the required fields first, beginning with the user whom the request is about", () => {
    expectNone((_, { page: { main } }) =>
      elementsWithClass(main, "fields").flatMap(({ childNodes }) => {
        const fieldHeads = (childNodes as Element[]).map((field) => textOf(field.childNodes[0]));
        const requiredHeads = fieldHeads.filter((head) => head.includes(" required"));
        const isIdFirst = !requiredHeads.slice(1).some((head) => head.startsWith("externalUserId "));
        return isIdFirst && requiredHeads.join() === fieldHeads.slice(0, requiredHeads.length).join() ? [] : fieldHeads;
      }),
    );
  });

  test("links every code, webhook, next call and question, and marks those with a weaker provenance", () => {
    expectNone((operation, page) => {
      const { responses, effects, triggers, requires, provenance } = operation;
      const rows = elementsWithClass(page.page.main, "codes").flatMap(elementsOf);
      const codes = pairsIn(operation).filter(({ code }) => {
        const row = rows.find(({ tagName, childNodes }) => tagName === "tr" && textOf(childNodes[0]).startsWith(code));
        const pair = pairsOf(code).find((candidate) => candidate.operation === operation);
        return (
          row !== undefined && markIn(row) !== (isWeak(pair?.provenance, provenance) ? pair?.provenance : undefined)
        );
      });
      const marksIn = (name: string) =>
        elementsWithClass(page.page.main, name).flatMap(({ childNodes }) =>
          childNodes.map((child) => markIn(child as Element)),
        );
      const wantedMarks = (provenances: (Provenance | undefined)[]) =>
        provenances.map((mark) =>
          isWeak(mark, provenance) ? weakestProvenance(provenance ?? "proposed", mark) : undefined,
        );
      const events = triggers.map(({ webhook, provenance: own }) => {
        const event = webhooks.find(({ name }) => name === webhook)?.event;
        return weakestProvenance(provenance ?? "proposed", own, event?.provenance);
      });
      const hasWantedMarks =
        marksIn("effects").join() === wantedMarks(effects.map((effect) => effect.provenance)).join() &&
        marksIn("triggers").join() === wantedMarks(events).join();
      const nextCalls = linksOf(operation).map(({ operationId }) => operationId);
      return [
        ...page.unlinkedNames("error", [
          ...responses.flatMap((response) => response.codes),
          ...requires.flatMap(({ code = [] }) => code),
        ]),
        ...page.unlinkedNames(
          "webhook",
          triggers.map(({ webhook }) => webhook),
        ),
        ...page.unlinkedNames("operation", nextCalls),
        ...page.unlinkedNames("question", questionsOf(operation)),
        ...codes.map(({ code }) => `the mark of ${code}`),
        ...(hasWantedMarks ? [] : ["the marks of effects or webhooks"]),
      ];
    });
  });

  test("says which values of the response go into the next call", () => {
    expectNone((operation, page) => {
      const expressions = linksOf(operation).flatMap((link) =>
        Object.values({ ...link.parameters, ...link.requestBody }),
      );
      const responseExpressions = expressions.filter((value) => value.startsWith("$response"));
      return page.missingWords(
        "next",
        responseExpressions.map((value) => value.split(/[./]/).at(-1) ?? ""),
      );
    });
  });

  test("names the guides that link to it, or show a journey that calls it, once each", () => {
    expectNone(({ operationId }, { page }) => {
      const calls = `$sourceDescriptions.contract.${operationId}`;
      const journeys = site.journeys.filter(({ steps }) => steps.some((step) => step.operationId === calls));
      const blocks = [`(operation:${operationId})`, ...journeys.map(({ workflowId }) => `{{journey ${workflowId}}}`)];
      const guides = site.guides.filter(({ text }) => blocks.some((block) => text.includes(block)));
      const shownGuides = elementsWithClass(page.main, "guides")
        .flatMap(elementsOf)
        .flatMap(({ attrs }) => attrs.map(({ value }) => value));
      const wantedGuides = guides.map(({ name }) => relativeHref(page.path, pathOf({ kind: "guide", name })));
      return [
        ...wantedGuides.filter((href) => !shownGuides.includes(href)),
        ...shownGuides.filter((href, index) => shownGuides.indexOf(href) < index),
      ];
    });
  });

  test("has a sample of each example of the request, in curl and TypeScript", () => {
    expectNone(({ requestBody, method }, { page: { main } }) => {
      const count = Math.max(1, (requestBody?.bodies ?? []).flatMap(({ examples }) => examples).length);
      const snippets = elementsWithClass(main, "snippet");
      const languages = snippets.map(({ attrs }) => attrs.at(-1)?.value);
      // Without -X, curl sends a POST with a body, and a GET without one.
      const methods = snippets.map(textOf).flatMap((text) => {
        if (!text.includes("curl -i ")) return [];
        return /curl -i -X (\w+)/.exec(text)?.[1] ?? (/ -[dF] /.test(text) ? "POST" : "GET");
      });
      const hasAllSamples =
        languages.join() === Array(count).fill("curl,typescript").join() &&
        methods.join() === Array(count).fill(method.toUpperCase()).join();
      return hasAllSamples ? [] : [...languages, ...methods].map(String);
    });
  });

  test("links the lifecycle of a status from its known values", () => {
    expectNone(({ name, responses }, { page: { main } }) => {
      const schemas = responses.flatMap(({ bodies }) =>
        bodies.flatMap(({ schema }) => [...propertiesOf(schema).values()]),
      );
      const names = schemas.map(({ target }) => target.name);
      const wantedResources = resources.filter(({ states }) =>
        states.some(({ schema }) => schema && names.includes(schema)),
      );
      const attributeValues = elementsWithClass(main, "values").flatMap((element) =>
        elementsOf(element).flatMap(({ attrs }) => attrs.map(({ value }) => value)),
      );
      const hrefs = wantedResources.map((resource) => `../lifecycles/${slugOf(resource.name)}.html`);
      return hrefs.filter((href) => !attributeValues.includes(href)).map((href) => `${name} lacks ${href}`);
    });
  });

  test("says that other codes may occur, unless the codes are stated", () => {
    expectNone(({ responses }, page) => {
      const isOpen = responses.some((response) => response.isOpen);
      return page.text("errors").includes("Other codes may occur.") === isOpen ? [] : [`open: ${isOpen}`];
    });
  });
});

test("lists have every operation, webhook, code and resource, with the edition of what is proposed", () => {
  const smallPages = [operationsPage, webhooksPage, errorsPage, lifecyclesPage].map((make) => make(site));
  const pages = parsePages([...smallPages, ...areaPages(site)], site).map((page) => new JudgedPage(page));
  const [operationList, webhookList, errorList, lifecycleList, ...areas] = pages as [
    JudgedPage,
    JudgedPage,
    JudgedPage,
    JudgedPage,
    ...JudgedPage[],
  ];
  const areaOf = (tag: string) =>
    areas.find(({ page }) => page.path === pathOf({ kind: "area", name: tag })) as JudgedPage;
  const missingEntries = [
    ...webhookList.unlinkedNames("webhook", namesOf(webhooks)),
    ...errorList.unlinkedNames("error", namesOf(errorCodes.map(({ code: name }) => ({ name })))),
    ...errorList.unlinkedNames("question", questionIdsIn(errorCodes.map(({ location }) => location.value))),
    ...lifecycleList.unlinkedNames("lifecycle", namesOf(resources)),
    ...webhooks.flatMap(({ name, tag }) => areaOf(tag).unlinkedNames("webhook", [name])),
    ...operations.flatMap(({ name, tag, provenance }) =>
      [operationList, areaOf(tag)].flatMap((list) => {
        const href = list.href("operation", name);
        const row = elementsOf(list.page.main).find(
          (element) => element.tagName === "tr" && elementsOf(element).some(({ attrs }) => attrs[0]?.value === href),
        );
        const isMarked = row?.attrs.some((attr) => attr.name === "data-edition");
        return isMarked === (provenance === "proposed") ? [] : [`${list.page.path}: ${name} is marked: ${isMarked}`];
      }),
    ),
  ];
  expect(missingEntries).toEqual([]);
  expect(errorList.text("without-a-code")).toMatch(
    /401 .*header is missing.*In production.*allow-list.* Every operation/,
  );
});

function bodiesOf({ requestBody, responses, provenance = "proposed" }: Operation) {
  return [
    ...(requestBody?.bodies ?? []).map(({ schema }) => ({ prefix: "request", schema, provenance })),
    ...responses
      .filter(({ status, codes }) => status < 400 && codes.length === 0)
      .flatMap(({ key, bodies, location }) =>
        bodies.map(({ schema }) => ({
          prefix: `response-${key}`,
          schema,
          provenance: provenanceAt(location, provenance),
        })),
      ),
  ];
}

/**
 * The fields by property path. `words` has the pattern, the known values, and "Sensitive" for a sensitive field. `weakestMark` is the
 * weakest provenance on the path.
 */
function fieldsOf(
  schema: SourceLocation,
  enclosingProvenance: Provenance,
): Map<string, { words: string[]; weakestMark: Provenance }> {
  const fieldsByPath = new Map<string, { words: string[]; weakestMark: Provenance }>();
  walkSchema(
    schema,
    (location, { path, ancestors }) => {
      if (path.length === 0) return;
      const { words = [], weakestMark = enclosingProvenance } = fieldsByPath.get(path.join("-")) ?? {};
      const { pattern = [], "x-open-enum": known = {}, "x-sensitive": isSensitive } = location.value as JsonSchema;
      const ownWords = [pattern, Object.keys(known), isSensitive ? "Sensitive" : []].flat();
      const marks = [...ancestors.map(markOn), markOn(location)];
      fieldsByPath.set(path.join("-"), {
        words: [...words, ...ownWords],
        weakestMark: weakestProvenance(weakestMark, ...marks),
      });
    },
    { includesConditions: false },
  );
  return fieldsByPath;
}

function markAt(field: Element | undefined): Provenance | undefined {
  return markIn(elementsOf(field as Element).find((element) => hasClass(element, "field-head")) as Element);
}

function markIn(element: Element): Provenance | undefined {
  return provenances.find((name) => elementsWithClass(element, `mark-${name}`).length > 0);
}

interface NextCall {
  operationId: string;
  parameters?: Record<string, string>;
  requestBody?: Record<string, string>;
}

function linksOf({ node }: Operation): NextCall[] {
  return Object.values(node.responses).flatMap((response) =>
    Object.values((response as { links?: Record<string, NextCall> }).links ?? {}),
  );
}
