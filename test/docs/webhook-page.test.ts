/** The pages of webhooks: when each is sent, where to, with which body, and how sure all of that is. */
import { describe, expect, test } from "vitest";
import { propertiesOf, type Webhook } from "../../scripts/contract/index.ts";
import { provenanceWords } from "../../scripts/docs/components/marks.tsx";
import { webhookPages } from "../../scripts/docs/pages/webhook.tsx";
import { webhooksPage } from "../../scripts/docs/pages/webhooks.tsx";
import { elementsOf, type ParsedPage, parsePages, textOf, withClass } from "./parsed-page.ts";
import { largestPage, unlinkedQuestions } from "./subject-pages.ts";
import { site } from "./whole-site.ts";

describe("the page of a webhook", () => {
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
      expect(textOf(head)).toContain(`POST ${path}`);
      const wanted = provenanceWords[pathProvenance ?? provenance].short;
      expect(textOf(withClass(main, "path-origin")[0])).toContain(wanted);
    });
  });

  test("says after which values and calls it is sent", () => {
    each(({ name, event }, page) => {
      const when = sectionOf(page, "when");
      for (const words of event?.after ?? []) expect(when, name).toContain(words);
      for (const { operationId, triggers } of operations) {
        if (triggers.some(({ webhook }) => webhook === name)) {
          expect(page.hrefs, name).toContain(`../operations/${operationId}.html`);
        }
      }
      expect(when).toContain("No document promises an order");
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

  test("has receivers that lose no other event", () => {
    each(({ name }, page) => {
      const receiver = textOf(page.byId.get("sample-receiver"));
      expect(receiver, name).not.toContain("reject");
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
    each(({ name, answers, dedupeKey }, page) => {
      for (const { key } of answers) expect(sectionOf(page, "response"), name).toContain(key);
      const again = sectionOf(page, "again");
      expect(again, name).toContain(`at most ${site.contract.delivery?.attempts} times`);
      for (const field of dedupeKey) expect(again, name).toContain(field);
      expect(again.includes("No fields of the body identify an event"), name).toBe(dedupeKey.length === 0);
    });
  });

  test("links the call that reads what it tells of", () => {
    each(({ name, event }, page) => {
      const details = site.contract.resources.find((resource) => resource.name === event?.resource)?.details ?? [];
      for (const operationId of details) {
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
