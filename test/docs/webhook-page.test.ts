/** The pages of webhooks: when each is sent, where to, with which body, and how sure all of that is. */
import { describe, expect, test } from "vitest";
import { editions, propertiesOf, type Webhook } from "../../scripts/contract/index.ts";
import { provenanceWords } from "../../scripts/docs/components/marks.tsx";
import { webhookPages } from "../../scripts/docs/pages/webhook.tsx";
import { webhooksPage } from "../../scripts/docs/pages/webhooks.tsx";
import { createSite } from "../../scripts/docs/site/site.ts";
import { Sources } from "../../scripts/sources/index.ts";
import { elementsOf, type ParsedPage, parsePages, textOf, withClass } from "./parsed-page.ts";
import { bundles } from "./site-bundles.ts";
import { bareSources, largestPage, unlinkedQuestions } from "./subject-pages.ts";

const sources = { ...bareSources(new Sources().registers()), wholeDocument: bundles.test.document };

describe.each(editions)("edition %s", (edition) => {
  const site = createSite(edition, bundles[edition], sources);
  const { webhooks, operations } = site.contract;
  const pages = parsePages(webhookPages(site), site);
  const [index] = parsePages([webhooksPage(site)], site) as [ParsedPage];
  const each = (judge: (webhook: Webhook, page: ParsedPage) => void) => {
    for (const [position, webhook] of webhooks.entries()) judge(webhook, pages[position] as ParsedPage);
  };
  const sectionOf = ({ byId }: ParsedPage, id: string) => textOf(byId.get(id)?.parentNode ?? undefined);

  test("has a page for each webhook, and lists them all by area", () => {
    expect(pages.map(({ path }) => path)).toEqual(webhooks.map(({ name }) => `webhooks/${name}.html`));
    for (const { name } of webhooks) expect(index.hrefs).toContain(`${name}.html`);
  });

  test("says how sure the webhook and its path are", () => {
    each(({ path, pathProvenance, provenance = "proposed" }, { main }) => {
      const [head] = withClass(main, "subject");
      expect(textOf(head)).toContain(provenanceWords[provenance].long);
      expect(textOf(head)).toContain(path === "" ? "path not known" : `POST ${path}`);
      const wanted = path === "" ? "No document shows" : provenanceWords[pathProvenance ?? provenance].short;
      expect(textOf(withClass(main, "path-origin")[0])).toContain(wanted);
    });
  });

  test("says after which values and calls it is sent, or that this is not stated", () => {
    each(({ name, event }, page) => {
      const when = sectionOf(page, "when");
      const listed = event?.after ?? ["After which values it is sent is not stated in this edition."];
      for (const words of listed) expect(when, name).toContain(words);
      for (const { operationId, triggers } of operations) {
        if (triggers.some(({ webhook }) => webhook === name)) {
          expect(page.hrefs, name).toContain(`../operations/${operationId}.html`);
        }
      }
      expect(when).toContain("No document promises an order");
    });
  });

  test("presents no list of values as complete that the whole contract goes beyond", () => {
    const whole = createSite("test", bundles.test, sources).contract.webhooks;
    each(({ name, event }, page) => {
      const all = whole.find((webhook) => webhook.name === name)?.event?.after ?? [];
      const isShort = event !== undefined && event.after.length < all.length;
      const when = sectionOf(page, "when");
      expect(when.includes("among others when"), name).toBe(isShort);
      expect(when, name).not.toMatch(/ \.|(balances|files) becomes/);
    });
  });

  test("names no cause of a code for a card, and no field that the body does not have", () => {
    each(({ name, event, requestBody }, page) => {
      const isCode = /^card.*Code$/.test(name) && event !== undefined;
      expect(sectionOf(page, "when").includes("for a card that is ACTIVE"), name).toBe(isCode);
      if (isCode) expect(sectionOf(page, "when"), name).not.toContain("Without a call of yours");
      const field = /(\w+) of the event names/.exec(sectionOf(page, "next"))?.[1];
      if (field === undefined) return;
      const fields = (requestBody?.bodies ?? []).flatMap(({ schema }) => [...propertiesOf(schema).keys()]);
      expect(fields, name).toContain(field);
    });
  });

  test("has receivers that lose no other event, at a path that is the reader's own where none is known", () => {
    each(({ name, path }, page) => {
      const receiver = textOf(page.byId.get("sample-receiver"));
      expect(receiver, name).not.toContain("reject");
      expect(receiver.includes("/my-path/"), name).toBe(path === "");
    });
  });

  test("shows the fields in the order of the body, and every example with the command that sends it", () => {
    each(({ name, requestBody }, page) => {
      for (const { schema, examples } of requestBody?.bodies ?? []) {
        const fields = [...propertiesOf(schema).keys()];
        const shown = page.ids.filter((id) => /^body-\w+$/.test(id)).map((id) => id.slice(5));
        expect(shown, name).toEqual(fields);
        for (const example of examples) {
          expect(textOf(page.byId.get(`sample-${example.name}`)), name).toContain(`partner-wallet-api webhook ${name}`);
        }
      }
      expect(textOf(page.byId.get("sample-receiver")), name).toContain("createWebhookHandler");
    });
  });

  test("says what to answer, how often a delivery is tried, and which fields tell a repetition", () => {
    each(({ name, answers, dedupeKey, requestBody }, page) => {
      for (const { key } of answers) expect(sectionOf(page, "answer"), name).toContain(key);
      const again = sectionOf(page, "again");
      expect(again, name).toContain(`at most ${site.contract.delivery?.attempts} times`);
      for (const field of dedupeKey) expect(again, name).toContain(field);
      const isShown = requestBody?.bodies.some(({ schema }) => propertiesOf(schema).size > 0) ?? false;
      expect(again.includes("The body is not shown"), name).toBe(!isShown);
      expect(again.includes("No fields of the body identify an event"), name).toBe(isShown && dedupeKey.length === 0);
    });
  });

  test("links the call that reads what it tells of", () => {
    each(({ name, event }, page) => {
      const details = site.contract.resources.find((resource) => resource.name === event?.resource)?.details ?? [];
      for (const operationId of details) {
        if (!operations.some((operation) => operation.operationId === operationId)) continue;
        expect(page.hrefs, name).toContain(`../operations/${operationId}.html`);
      }
    });
  });

  test("links the open questions on a webhook", () => {
    each(({ name, openQuestions }, page) => {
      expect(unlinkedQuestions([...openQuestions, "Q-webhook-authentication"], page, site), name).toEqual([]);
    });
  });

  test("has its headings in order, no page above 12 kB, and no id twice on a page", () => {
    const all = [...pages, index];
    expect(largestPage(all)).toBeLessThanOrEqual(12_000);
    for (const { ids, path, main } of all) {
      expect(new Set(ids).size, path).toBe(ids.length);
      const levels = elementsOf(main).flatMap(({ tagName }) => (/^h\d$/.test(tagName) ? [Number(tagName[1])] : []));
      expect(levels.every((level, at) => level <= (levels[at - 1] ?? 0) + 1, path)).toBe(true);
    }
  });
});
