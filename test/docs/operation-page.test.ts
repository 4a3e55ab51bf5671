/** The pages of operations and areas: everything that the contract says of an operation is on its page. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type JsonSchema, type Place, walkSchema } from "../../scripts/contract/index.ts";
import { operationSamples } from "../../scripts/docs/samples/index.ts";
import { markedParts } from "../../scripts/docs/site/marked-parts.ts";
import { pathOf } from "../../scripts/docs/site/pages.ts";
import type { TargetKind } from "../../scripts/docs/site/site.ts";
import { bodiesOf, complaintsOf, hrefFrom, listing, pages } from "./operation-pages.ts";
import { attribute, type Element, elementsOf, type ParsedPage, textOf, withClass } from "./parsed-page.ts";
import { site } from "./whole-site.ts";

const order = [
  "What it does",
  "Before you call it",
  "Parameters",
  "Request body",
  "Responses",
  "Errors",
  "Webhooks it leads to",
  "What next",
  "Open questions",
  "Where it is used",
  "Samples",
];

describe("the page of an operation", () => {
  const { operations } = site.contract;
  const expectNone = (judge: Parameters<typeof complaintsOf>[0]) => expect(complaintsOf(judge)).toEqual([]);

  test("has a page for each operation, and its sections in their order", () => {
    expect(pages.map(({ path }) => path)).toEqual(
      operations.map(({ operationId }) => `operations/${operationId}.html`),
    );
    for (const { main } of pages) {
      const titles = elementsOf(main)
        .filter(({ tagName }) => tagName === "h2")
        .map(textOf);
      expect(titles).toEqual(order.filter((title) => titles.includes(title)));
      expect(titles).toEqual(expect.arrayContaining(["What it does", "Responses", "Errors", "Samples"]));
    }
  });

  test("shows method, path, operationId, client function and address", () => {
    expectNone(({ method, path, operationId, address }, { main }) => {
      const [head] = withClass(main, "subject");
      const words = [
        `${method.toUpperCase()} ${path}`,
        `wallet.${operationId}(…)`,
        address === "base_url" ? "On the main address" : "a different host",
      ];
      return words.filter((word) => !textOf(head).includes(word));
    });
  });

  test("shows every parameter with its marks and example", () => {
    expectNone(({ parameters }, { byId }) =>
      parameters.flatMap(({ name, in: where, required, example }) => {
        const field = byId.get(`${where}-${name}`);
        if (field === undefined) return [`the parameter ${name} is missing`];
        const text = textOf(field);
        const isRight = text.includes(name) && text.includes("required") === required;
        return isRight && (example === undefined || text.includes(String(example))) ? [] : [`${name}: ${text}`];
      }),
    );
  });

  test("shows every field with its values, patterns and sensitivity", () => {
    expectNone((operation, { byId }) =>
      bodiesOf(operation).flatMap(({ prefix, schema }) =>
        fieldsOf(schema).flatMap(({ path, place }) => {
          const id = [prefix, ...path].join("-");
          const field = byId.get(id);
          if (field === undefined) return [`the field ${id} is missing`];
          const { pattern, "x-open-enum": known = {}, "x-sensitive": isSensitive } = place.value as JsonSchema;
          const wanted = [path.at(-1) as string, ...(pattern === undefined ? [] : [pattern]), ...Object.keys(known)];
          if (isSensitive) wanted.push("Sensitive");
          const text = textOf(field);
          return wanted.filter((word) => !text.includes(word)).map((word) => `${id} lacks ${word}`);
        }),
      ),
    );
  });

  test("links every code, webhook, next call, question and call that fulfils a condition", () => {
    expectNone((operation, page) => {
      const { answers, triggers, openQuestions, requires, node, operationId } = operation;
      const nextCalls = Object.values(node.responses).flatMap((answer) =>
        Object.values((answer as { links?: Record<string, { operationId: string }> }).links ?? {}),
      );
      const resolvers = requires.flatMap(({ condition }) => {
        const { code } = site.conditions[condition] ?? {};
        return site.contract.errorCodes.find((error) => error.code === code)?.resolvedBy ?? [];
      });
      const questions = [...openQuestions, ...markedParts(operation).flatMap((part) => part.questions)];
      const wanted: [TargetKind, string][] = [
        ...answers.flatMap(({ codes }) => codes.map((code): [TargetKind, string] => ["error", code])),
        ...triggers.map(({ webhook }): [TargetKind, string] => ["webhook", webhook]),
        ...nextCalls.map((next): [TargetKind, string] => ["operation", next.operationId]),
        ...resolvers.filter((id) => id !== operationId).map((id): [TargetKind, string] => ["operation", id]),
        ...questions.map((id): [TargetKind, string] => ["question", id]),
      ];
      return wanted
        .filter(([kind, name]) => !page.hrefs.has(hrefFrom(page, kind, name)))
        .map(([kind, name]) => `no link to the ${kind} ${name}`);
    });
  });

  test("says which value of a call goes where in the next one", () => {
    expectNone(({ node }, { byId }) => {
      const text = textOf(byId.get("next")?.parentNode as Element | undefined);
      return Object.values(node.responses).flatMap((answer) =>
        Object.values((answer as { links?: Record<string, NextCall> }).links ?? {}).flatMap((next) =>
          Object.entries({ ...next.parameters, ...next.requestBody }).flatMap(([name, expression]) => {
            const from = expression.split(/[./]/).at(-1);
            return text.includes(`${name}: ${from} in the `) ? [] : [`${name} from ${expression}`];
          }),
        ),
      );
    });
  });

  test("names the guides that link to it and the journeys that call it", () => {
    expectNone((operation, page) => {
      const { operationId } = operation;
      const text = textOf(page.byId.get("used-in")?.parentNode as Element | undefined);
      const guides = site.guides.filter((guide) => guide.text.includes(`(operation:${operationId})`));
      const journeys = site.journeys.filter(({ steps }) => {
        return steps.some((step) => step.operationId === `$sourceDescriptions.contract.${operationId}`);
      });
      return [
        ...guides.filter(({ name }) => !page.hrefs.has(hrefFrom(page, "guide", name))).map(({ title }) => title),
        ...journeys.filter(({ summary }) => !text.includes(summary)).map(({ summary }) => summary),
      ];
    });
  });

  test("has no anchor twice, links every field to itself, and keeps to its size", () => {
    for (const { path, html, ids, byId, main } of [...pages, ...listing]) {
      expect(ids, path).toEqual([...new Set(ids)]);
      expect(gzipSync(html, { level: 9 }).length, path).toBeLessThanOrEqual(12 * 1024);
      for (const field of withClass(main, "field")) {
        const id = field.attrs.find(({ name }) => name === "id")?.value ?? "";
        expect(byId.has(id), `${path}#${id}`).toBe(true);
        expect(elementsOf(field).some(({ attrs }) => attrs.some(({ value }) => value === `#${id}`))).toBe(true);
      }
    }
  });

  test("shows every sample in every language, and its answer", () => {
    for (const { path, main } of pages) {
      const samples = withClass(main, "sample");
      expect(samples.length, path).toBeGreaterThan(0);
      for (const sample of samples) {
        const languages = withClass(sample, "snippet").map(({ attrs }) => attrs.at(-1)?.value);
        expect(languages, path).toEqual(["curl", "typescript", "fetch"]);
      }
    }
  });

  test("says where the mock answers other values than the sample shows", () => {
    expectNone((operation, { main }) => {
      const words = textOf(withClass(main, "samples")[0]);
      const [{ answer } = { answer: undefined }] = operationSamples(operation, site);
      const wanted = answer?.body !== undefined && answer.isFromState;
      const isSaid = words.includes("Example of the response") && words.includes("so the values differ");
      return isSaid === wanted ? [] : [words.slice(-200)];
    });
  });

  test("asks at the trigger which webhook the end of the verification leads to", () => {
    const page = pages.find(({ path }) => path === "operations/addUserVerification.html") as ParsedPage;
    const section = textOf(page.byId.get("webhooks")?.parentNode as Element);
    expect(section).toContain(site.questions["Q-verification-webhook"]?.question);
  });

  test("is listed with its area", () => {
    const [list, ...areas] = listing as [ParsedPage, ...ParsedPage[]];
    for (const { operationId, tag, answers } of operations) {
      const area = areas.find(({ path }) => path === pathOf({ kind: "area", name: tag })) as ParsedPage;
      for (const page of [list, area]) expect(page.hrefs).toContain(hrefFrom(page, "operation", operationId));
      for (const code of answers.flatMap(({ codes }) => codes)) {
        expect(area.hrefs).toContain(hrefFrom(area, "error", code));
      }
    }
    for (const webhook of site.contract.webhooks) {
      const area = areas.find(({ path }) => path === pathOf({ kind: "area", name: webhook.tag })) as ParsedPage;
      expect(area.hrefs).toContain(hrefFrom(area, "webhook", webhook.name));
    }
  });

  test("says once that other codes may occur, but for the operations whose codes are stated", () => {
    const said = pages.filter(({ main }) => textOf(main).split("Other codes may occur.").length === 2);
    const stated = operations.filter(({ operationId }) => !said.some(({ path }) => path.includes(`/${operationId}.`)));
    expect(stated.map(({ operationId }) => operationId)).toEqual([
      "createUserAccount",
      "updateUser",
      "addKycFiles",
      "addUserVerification",
      "getUserTransactionHistory",
      "listUserCards",
      "getCryptoDepositDetails",
      "createOrderRateLock",
    ]);
  });

  test("says which edition has it and how that is chosen, where its path is proposed; lists mark it", () => {
    expectNone(({ provenance, name }, { main, html }) => {
      const isProposed = provenance === "proposed";
      const isSaid = textOf(main).includes("Its path is proposed, so only the edition test has it");
      const rows = listing
        .flatMap(({ main: list }) => elementsOf(list))
        .filter((row) => row.tagName === "tr" && isLinkTo(elementsOf(row)[1] as Element, name));
      const marks = rows.map((row) => attribute(row, "data-edition") === "test");
      const isFound = html.includes(`data-pagefind-meta="title, edition:${isProposed ? "test" : "latest"}"`);
      const hasOption = textOf(withClass(main, "sample")[0]).includes('edition: "test"');
      const isRight = isSaid === isProposed && isFound && hasOption === isProposed;
      return isRight && rows.length === 2 && marks.every((mark) => mark === isProposed) ? [] : [`${marks}`];
    });
  });
});

function isLinkTo(link: Element, name: string): boolean {
  return attribute(link, "href")?.split("/").at(-1) === `${name}.html`;
}

interface NextCall {
  parameters?: Record<string, string>;
  requestBody?: Record<string, string>;
}

/** Every schema below a property, with the way of properties to it. */
function fieldsOf(schema: Place): { path: string[]; place: Place }[] {
  const found: { path: string[]; place: Place }[] = [];
  walkSchema(
    schema,
    (place, { path }) => {
      if (path.length > 0) found.push({ path, place });
    },
    { conditions: false },
  );
  return found;
}
