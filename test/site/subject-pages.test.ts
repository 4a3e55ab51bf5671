import { describe, expect, test } from "vitest";
import { propertiesOf, weakestProvenance } from "../../scripts/contract/model/index.ts";
import { eventTriggers } from "../../scripts/mock/behaviours/index.ts";
import { errorPages } from "../../scripts/site/pages/error.tsx";
import { lifecyclePages } from "../../scripts/site/pages/lifecycle.tsx";
import { webhookPages, webhooksPage } from "../../scripts/site/pages/webhook.tsx";
import { renderPage } from "../../scripts/site/render.tsx";
import { isWeak, makeJudge, namesOf, type pairsIn, pairsOf, questionsOf, shortWords } from "./judged-pages.ts";
import { type Element, elementsWithClass, type ParsedPage, parsePages, textOf } from "./parsed-page.ts";
import { site } from "./whole-site.ts";

const { operations, webhooks, errorCodes, resources } = site.contract;

function causesOf({
  code,
  operation: { requires, parameters, requestBody },
}: ReturnType<typeof pairsIn>[number]): string {
  const { invalidRequest = {} } = requestBody ?? {};
  const ways = typeof invalidRequest === "string" ? { otherwise: invalidRequest } : invalidRequest;
  return [
    ...requires.flatMap((requirement) => (requirement.code === code ? requirement.condition : [])),
    ...parameters.flatMap((parameter) => (parameter.invalidRequest === code ? parameter.name : [])),
    ...Object.entries(ways).flatMap(([way, own]) => (own === code ? `${Object.keys(ways).length === 1} ${way}` : [])),
  ].join();
}

describe("the page of a code", () => {
  const expectNone = makeJudge(errorPages, errorCodes, ({ code }) => ({ kind: "error", name: code }));

  test("says status, who acts, retry and what to do, and shows the body", () => {
    // The retry advice determines whether a call may have taken effect, as in the client.
    const effects = { none: "Yes", never: "No", "after-change": "No", later: "Unknown", unknown: "Unknown" };
    expectNone(({ code, meaning, status, retry, resolvedBy, openQuestions, effectiveProvenance: provenance }, page) => {
      const facts = elementsWithClass(page.page.main, "subject-facts")[0] as Element;
      const mark = isWeak(provenance) ? ` ${shortWords[provenance]}` : "";
      const words = `HTTP status ${status}${mark} Took effect ${effects[retry]}:`;
      return [
        ...page.missingWords(undefined, [`${code} ${meaning}`, `"errorCode": "${code}"`]),
        ...(textOf(facts).includes(words) && elementsWithClass(facts, "mark").length === (mark === "" ? 0 : 1)
          ? []
          : [textOf(facts)]),
        ...page.unlinkedNames("operation", resolvedBy),
        ...page.unlinkedNames("question", openQuestions),
      ];
    });
  });

  test("shows every operation that returns it, the strongest provenance first, with the mark of the code at that operation and a different cause", () => {
    expectNone(({ code }, { page: { main } }) => {
      const shownPairs = elementsWithClass(main, "pairs").flatMap(({ childNodes }) =>
        (childNodes as Element[]).map(textOf),
      );
      const pairs = pairsOf(code);
      const sortedPairs = [false, true].flatMap((isWeakPair) =>
        pairs.filter(({ provenance }) => isWeak(provenance) === isWeakPair),
      );
      const causes = pairs.map((pair) => causesOf(pair)).filter((cause) => cause !== "");
      const areDifferent = new Set(causes).size > 1;
      const hasExpectedWords = sortedPairs.every((pair, index) => {
        const { operation, provenance } = pair;
        const mark = isWeak(provenance) ? ` ${shortWords[provenance]}` : "";
        const words = shownPairs[index]?.replace(/ :/, ":") ?? "";
        return (
          words.startsWith(`${operation.summary}${mark}`) &&
          words.includes(": when") === (areDifferent && causesOf(pair) !== "")
        );
      });
      return hasExpectedWords && shownPairs.length === pairs.length ? [] : shownPairs;
    });
  });

  test("says when it is returned, and how the mock is made to return it", () => {
    expectNone(({ code }, page) => {
      const isReturned = pairsOf(code).length > 0;
      const isProvoked = /curl.*Prefer: /.test(page.text(`sample-${code}`));
      return isProvoked === isReturned ? [] : [page.text(`sample-${code}`)];
    });
    const [p459] = parsePages(
      errorPages(site).filter(({ title }) => title.startsWith("P459")),
      site,
    ) as [ParsedPage];
    const pairs = pairsOf("P459");
    const knownPairs = pairs.filter(({ provenance }) => !isWeak(provenance));
    expect(textOf(elementsWithClass(p459.main, "lead")[0])).toBe(
      `Returned when the user is not verified. ${knownPairs.length} of ${operations.length} operations return it; ${pairs.length - knownPairs.length} more may.`,
    );
  });
});

describe("the page of a webhook", () => {
  const expectNone = makeJudge(webhookPages, webhooks, ({ name }) => ({ kind: "webhook", name }));

  test("says where it is sent, how sure that is, and after which values and calls", () => {
    expectNone(({ name, path, pathProvenance, provenance = "proposed", event, requestBody }, page) => {
      const head = textOf(elementsWithClass(page.page.main, "subject")[0]);
      // Path and body have separate marks. For some webhooks the specification states only the name.
      const marks = {
        path: pathProvenance ?? provenance,
        body: weakestProvenance(provenance, requestBody?.effectiveProvenance),
      };
      const certaintyWords = [
        ...(provenance === "proposed" ? ["Name only The specification states its name."] : []),
        ...Object.entries(marks).flatMap(([part, mark]) => (isWeak(mark) ? [`The ${part}: ${shortWords[mark]}`] : [])),
      ];
      const leadingOperations = operations.filter(({ triggers }) => triggers.some(({ webhook }) => webhook === name));
      const isCode = /^card.*Code$/.test(name) && event !== undefined;
      const sectionText = page.text("when");
      return [
        ...[`POST ${path}`, ...certaintyWords].filter((words) => !head.includes(words)),
        ...page.missingWords("when", event?.after ?? []),
        ...page.unlinkedNames("operation", namesOf(leadingOperations)),
        ...(/ \.|(balances|files) becomes/.test(sectionText) ? [sectionText] : []),
        // A webhook with a card's code is sent while the card stays ACTIVE, so its page names this state and no change.
        ...(sectionText.includes("for a card that is ACTIVE") === isCode &&
        !(isCode && sectionText.includes("Without a call"))
          ? []
          : [sectionText]),
      ];
    });
  });

  test("shows the fields in the order of the body, and every example with the command that sends it", () => {
    expectNone(({ name, requestBody }, page) => [
      ...(requestBody?.bodies ?? []).flatMap(({ schema, examples }) => {
        const shownFields = page.page.ids.flatMap((id) => (/^body-\w+$/.test(id) ? id.slice(5) : []));
        const hasAllFields = shownFields.join() === [...propertiesOf(schema).keys()].join();
        const sentTexts = examples.flatMap((example) =>
          page.missingWords(`sample-${example.name}`, [`partner-wallet-api webhook ${name}`]),
        );
        return [...(hasAllFields ? [] : shownFields), ...sentTexts];
      }),
      ...page.missingWords("sample-receiver", ["createWebhookHandler"]),
      // The sample must not reject events of other webhooks: after the last attempt, the service stops sending them, and they are lost.
      ...(page.text("sample-receiver").includes("reject") ? ["rejects"] : []),
    ]);
  });

  test("says what to answer, which fields tell a repetition, what to read next, and its questions", () => {
    expectNone((webhook, page) => {
      const { responses, dedupeKey, event, requestBody } = webhook;
      const [, field] = /(\w+) of the event names/.exec(page.text("next")) ?? [];
      const fields = (requestBody?.bodies ?? []).flatMap(({ schema }) => [...propertiesOf(schema).keys()]);
      const resource = resources.find(({ name }) => name === event?.resource);
      return [
        ...page.missingWords("response", [...responses.map(({ key }) => key), ...dedupeKey]),
        ...(dedupeKey.length === 0 ? page.missingWords("response", ["No fields of the body identify an event"]) : []),
        ...(field === undefined || fields.includes(field) ? [] : [`no field ${field}`]),
        ...page.unlinkedNames("operation", resource?.details ?? []),
        ...page.unlinkedNames("question", questionsOf(webhook)),
      ];
    });
  });
});

describe("the list of webhooks", () => {
  test("marks exactly the paths that no source shows", () => {
    const html = renderPage(webhooksPage(site), { site, assets: {} });
    const weakWebhooks = webhooks.filter(({ pathProvenance }) => isWeak(pathProvenance));
    expect(weakWebhooks.length).toBeGreaterThan(0);
    const markedPaths = [...html.matchAll(/<code>(\/[^<]*)<\/code> <span class="mark mark-\w+"/g)].map(
      ([, path]) => path,
    );
    expect(markedPaths.sort()).toEqual(weakWebhooks.map(({ path }) => path).sort());
  });

  test.each(["proposed", "reference"] as const)(
    "marks the rules of redelivery if they are proposed: %s",
    (provenance) => {
      const delivery = { ...site.contract.delivery, provenance } as typeof site.contract.delivery;
      const changedSite = { ...site, contract: { ...site.contract, delivery } };
      const html = renderPage(webhooksPage(changedSite), { site: changedSite, assets: {} });
      const rules = html.split("A delivery is tried at most")[1]?.split("Events can arrive")[0];
      expect(rules?.includes("mark-proposed")).toBe(provenance === "proposed");
    },
  );
});

describe("the page of a resource", () => {
  const expectNone = makeJudge(lifecyclePages, resources, ({ name }) => ({ kind: "lifecycle", name }));

  test("links every operation and webhook that concerns it", () => {
    expectNone(({ name, details }, page) => {
      const concernedOperations = operations.filter(
        ({ operationId, effects }) =>
          details.includes(operationId) || effects.some(({ resource }) => resource === name),
      );
      return [
        ...page.unlinkedNames("operation", namesOf(concernedOperations)),
        ...page.unlinkedNames("webhook", namesOf(webhooks.filter(({ event }) => event?.resource === name))),
        // The guides, not the lifecycle pages, explain how to handle unknown values.
        ...(/as not final|do not know/.test(page.text()) ? ["unknown values"] : []),
      ];
    });
  });

  test("names the external events as the mock takes them", () => {
    expectNone(({ name, externalEvents }, { page: { main } }) => {
      const entries = elementsWithClass(main, "external-event-name").map((entry) =>
        textOf(entry).replace("In the mock: ", ""),
      );
      const isKnown = entries.every((entry) => Object.hasOwn(eventTriggers, `${name}.${entry}`));
      return isKnown && entries.join() === externalEvents.map((event) => event.name).join() ? [] : entries;
    });
  });
});
