/** The pages of P-codes: every operation that returns a code is on its page, with how sure that is. */
import { describe, expect, test } from "vitest";
import { isCode, type OpenApiDocument, type Provenance, provenances } from "../../scripts/contract/index.ts";
import { provenanceWords } from "../../scripts/docs/components/marks.tsx";
import { errorPages } from "../../scripts/docs/pages/error.tsx";
import { errorsPage } from "../../scripts/docs/pages/errors.tsx";
import { attribute, type Element, elementsOf, type ParsedPage, parsePages, textOf, withClass } from "./parsed-page.ts";
import { largestPage, unlinkedQuestions } from "./subject-pages.ts";
import { site } from "./whole-site.ts";

describe("the page of a code", () => {
  const { errorCodes } = site.contract;
  const pages = parsePages(errorPages(site), site);
  const [index] = parsePages([errorsPage(site)], site) as [ParsedPage];
  const pairs = pairsIn(site.contract.document);

  test("has a page for each code, with status, who acts, retry and what to do", () => {
    expect(pages.map(({ path }) => path)).toEqual(errorCodes.map(({ code }) => `errors/${code}.html`));
    for (const [position, { code, meaning, status, resolvedBy }] of errorCodes.entries()) {
      const { main, hrefs } = pages[position] as ParsedPage;
      expect(textOf(elementsOf(main).find(({ tagName }) => tagName === "h1"))).toBe(`${code} ${meaning}`);
      const [facts] = withClass(main, "subject-facts");
      expect(textOf(facts)).toMatch(new RegExp(`HTTP status ?${status}`));
      // Who acts, whether to retry and what to do: each is marked as advice.
      expect(withClass(facts as Element, "mark-advice")).toHaveLength(3);
      for (const operationId of resolvedBy) expect(hrefs).toContain(`../operations/${operationId}.html`);
    }
  });

  test("shows every operation that returns a code, with the mark of that very pair", () => {
    const shown = pages.flatMap(({ main, path }) =>
      withClass(main, "pairs")
        .flatMap(elementsOf)
        .filter(({ tagName, childNodes }) => tagName === "tr" && childNodes.some(({ nodeName }) => nodeName === "td"))
        .map((row) => {
          const link = elementsOf(row).find(({ tagName }) => tagName === "a");
          const [mark] = withClass(row, "mark").map(textOf);
          return `${path.slice(7, 11)} ${attribute(link as Element, "href")?.slice(14, -5)} ${mark}`;
        }),
    );
    const wanted = pairs.map(({ code, operationId, provenance }) => {
      return `${code} ${operationId} ${provenanceWords[provenance].short}`;
    });
    expect(wanted.length).toBeGreaterThan(80);
    expect(shown.sort()).toEqual(wanted.sort());
  });

  test("says in a sentence who returns a code and when", () => {
    const { main } = pages.find(({ path }) => path === "errors/P459.html") as ParsedPage;
    const { length } = site.contract.operations;
    expect(textOf(withClass(main, "lead")[0])).toMatch(
      new RegExp(
        `^\\d+ of ${length} operations can return it. It arises when this is not true: the user is verified.$`,
      ),
    );
  });

  test("shows how the mock is made to answer a code, and its body", () => {
    for (const { main, byId, path } of pages) {
      const code = path.slice(7, 11);
      const isReturned = pairs.some((pair) => pair.code === code);
      if (isReturned) expect(textOf(byId.get(`sample-${code}`)), path).toMatch(new RegExp(`curl.*Prefer: .*${code}.*`));
      expect(textOf(main), path).toContain(`"errorCode": "${code}"`);
    }
  });

  test("links the open questions on a code", () => {
    for (const [position, { openQuestions, code }] of errorCodes.entries()) {
      expect(unlinkedQuestions(openQuestions, pages[position] as ParsedPage, site), code).toEqual([]);
      expect(unlinkedQuestions(openQuestions, index, site), code).toEqual([]);
    }
  });

  test("lists every code, and the responses without one with the cause that only production has", () => {
    for (const { code } of errorCodes) expect(index.hrefs).toContain(`${code}.html`);
    const rows = elementsOf(index.byId.get("without-a-code")?.parentNode as Element).filter(
      ({ tagName }) => tagName === "tr",
    );
    const unauthorized = rows.find((row) => textOf(row).startsWith("401"));
    expect(textOf(unauthorized)).toMatch(
      /header is missing.*In production.*allow-list \(public reference\)\. Every operation/,
    );
  });

  test("has no page above 12 kB, and no id twice on a page", () => {
    const all = [...pages, index];
    expect(largestPage(all)).toBeLessThanOrEqual(12_000);
    for (const { ids, path } of all) expect(new Set(ids).size, path).toBe(ids.length);
  });
});

interface RawPair {
  code: string;
  operationId: string;
  provenance: Provenance;
}

interface RawAnswer extends Marked {
  content?: Record<string, { schema?: RawSchema }>;
}
interface RawSchema extends Marked {
  oneOf?: RawSchema[];
  anyOf?: RawSchema[];
}
interface Marked {
  $ref?: string;
  "x-provenance"?: Provenance;
}

/** The pairs as the document has them, without the model of the contract. */
function pairsIn(document: OpenApiDocument): RawPair[] {
  const follow = <Node extends Marked>(node: Node): Node => {
    if (node.$ref === undefined) return node;
    const keys = node.$ref.slice(2).split("/");
    return keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document) as Node;
  };
  return Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap((operation: unknown) => {
      const {
        operationId,
        responses,
        "x-provenance": own,
      } = operation as Marked & {
        operationId?: string;
        responses?: Record<string, RawAnswer>;
      };
      if (operationId === undefined) return [];
      return Object.values(responses ?? {}).flatMap((answer) => {
        const { content = {}, "x-provenance": ofAnswer } = follow(answer);
        const schemas = Object.values(content).flatMap(({ schema = {} }) => [
          schema,
          ...(schema.oneOf ?? []),
          ...(schema.anyOf ?? []),
        ]);
        return schemas.flatMap((schema) => {
          const code = schema.$ref?.split("/").at(-1) ?? "";
          const marks = [own, answer["x-provenance"], ofAnswer, schema["x-provenance"]];
          return isCode(code) ? [{ code, operationId, provenance: weakestOf(marks) }] : [];
        });
      });
    }),
  );
}

function weakestOf(marks: (Provenance | undefined)[]): Provenance {
  return provenances.findLast((provenance) => marks.includes(provenance)) ?? "specification";
}
