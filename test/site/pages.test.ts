/** The pages of all subjects show what the contract states. */
import { beforeAll, describe, expect, test } from "vitest";
import {
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  type Provenance,
  propertiesOf,
  type Webhook,
  weakest,
} from "../../scripts/contract/model/index.ts";
import { eventTriggers } from "../../scripts/mock/behaviours/index.ts";
import { areaPages } from "../../scripts/site/pages/area.tsx";
import { errorPages, errorsPage } from "../../scripts/site/pages/error.tsx";
import { lifecyclePages, lifecyclesPage } from "../../scripts/site/pages/lifecycle.tsx";
import { operationPages, operationsPage } from "../../scripts/site/pages/operation.tsx";
import type { SitePage } from "../../scripts/site/pages/page.ts";
import { webhookPages, webhooksPage } from "../../scripts/site/pages/webhook.tsx";
import { operationSamples } from "../../scripts/site/samples/index.ts";
import { type PageRef, pathOf, relativeHref, slugOf } from "../../scripts/site/site/pages.ts";
import { findTarget, type SiteContent, type TargetKind } from "../../scripts/site/site/site.ts";
import { bodiesOf, fieldsOf, linksOf, markAt, markIn } from "./page-fields.ts";
import { type Element, elementsOf, type ParsedPage, parsePages, textOf, withClass } from "./parsed-page.ts";
import { site } from "./whole-site.ts";

const { operations, webhooks, errorCodes, resources } = site.contract;

const shortWords = { specification: "Stated", reference: "Seen", observed: "Observed", proposed: "Proposed" };
const longWords = {
  specification: "Stated in the specification",
  reference: "Seen in the public reference",
  observed: "Observed in, or inferred from, a program that calls the service",
  proposed: "Proposed, to be confirmed",
};

const pairsIn = (operation: Operation) =>
  operation.responses.flatMap(({ codeRefs }) =>
    codeRefs.map(({ code, effective: provenance }) => ({ code, operation, provenance })),
  );
const pairsOf = (code: string) => operations.flatMap(pairsIn).filter((pair) => pair.code === code);

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

const document = site.contract.root.value as OpenApiDocument;

const namesOf = (subjects: readonly { name: string }[]) => subjects.map(({ name }) => name);

/** The ids of the questions on a node and its parts, including referenced nodes. */
function idsIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { "x-open-questions": own = [], $ref } = node as JsonSchema & { $ref?: string };
  const names = typeof $ref === "string" ? $ref.slice(2).split("/") : [];
  const target = names.reduce((at: unknown, name) => (at as Record<string, unknown>)[name], document);
  return [...own, ...(names.length === 0 ? [] : idsIn(target)), ...Object.values(node).flatMap(idsIn)];
}

/** The questions of each subject, including the questions on its parts, but not on failure responses. */
const questions = new Map(
  [...operations, ...webhooks].map((subject) => {
    const item = "operationId" in subject ? document.paths[subject.path] : document.webhooks?.[subject.name];
    const { parameters, requestBody, responses = {} } = Object(item)["method" in subject ? subject.method : "post"];
    const shown = Object.entries(responses).filter(([status]) => Number(status) < 400);
    const ids = idsIn([Object(item).parameters, parameters, requestBody, shown]);
    return [subject as Operation | Webhook, new Set([...subject.openQuestions, ...ids])];
  }),
);

/** A subject's page shows every question of the subject itself, but a question of a part only if at most 4 subjects share it. */
function questionsOf(subject: Operation | Webhook): string[] {
  const isFew = (id: string) => [...questions.values()].filter((ids) => ids.has(id)).length <= 4;
  return [...(questions.get(subject) ?? [])].filter((id) => subject.openQuestions.includes(id) || isFew(id));
}

class Judged {
  readonly page: ParsedPage;
  constructor(page: ParsedPage) {
    this.page = page;
  }
  text(id?: string): string {
    if (id === undefined) return textOf(this.page.main);
    const element = this.page.byId.get(id);
    return textOf(element?.tagName === "h2" ? (element.parentNode as Element) : element);
  }
  lacks(id: string | undefined, words: readonly string[]): string[] {
    const text = this.text(id);
    return words.filter((word) => !text.includes(word)).map((word) => `${id ?? "the page"} lacks ${word}`);
  }
  unlinked(kind: TargetKind, names: readonly string[]): string[] {
    return names.filter((name) => !this.page.hrefs.has(this.href(kind, name))).map((name) => `no link to ${name}`);
  }
  href(kind: TargetKind, name: string): string {
    const target = findTarget(site, kind, name);
    if (target === undefined) throw new Error(`There is no ${kind} ${name}.`);
    return relativeHref(this.page.path, pathOf(target)) + (target.anchor === undefined ? "" : `#${target.anchor}`);
  }
}

function judge<Subject>(
  make: (site: SiteContent) => SitePage[],
  subjects: readonly Subject[],
  refOf: (subject: Subject) => PageRef,
) {
  const pages = new Map<string, Judged>();
  beforeAll(() => {
    for (const page of parsePages(make(site), site)) pages.set(page.path, new Judged(page));
    expect([...pages.keys()]).toEqual(subjects.map((subject) => pathOf(refOf(subject))));
  });
  return (complaints: (subject: Subject, page: Judged) => string[]) => {
    const found = subjects.flatMap((subject) => {
      const path = pathOf(refOf(subject));
      return complaints(subject, pages.get(path) as Judged).map((words) => `${path}: ${words}`);
    });
    expect(found).toEqual([]);
  };
}

function isWeak(mark: Provenance | undefined, than: Provenance = "reference"): boolean {
  const least = weakest("reference", than);
  return weakest(least, mark) !== least;
}

describe("the page of an operation", () => {
  const expectNone = judge(operationPages, operations, ({ name }) => ({ kind: "operation", name }));

  test("has its sections in their order", () => {
    const order = [
      ...["Parameters", "Request body", "Before you call it", "What it changes", "Responses", "Errors"],
      ...["Webhooks it leads to", "What next", "Samples"],
    ];
    expectNone((_, { page: { main } }) => {
      const titles = elementsOf(main).flatMap((element) => (element.tagName === "h2" ? textOf(element) : []));
      const wanted = order.filter((title) => titles.includes(title));
      return titles.join() === wanted.join() && titles.includes("Responses") && titles.includes("Samples")
        ? []
        : titles;
    });
  });

  test("shows method, path, operationId, client function, address, edition and provenance", () => {
    expectNone(({ method, path, operationId, address, provenance = "proposed" }, { page: { main } }) => {
      const head = textOf(withClass(main, "subject")[0]);
      const edition = provenance === "proposed" ? "test" : "latest";
      const words = [
        `${method.toUpperCase()} ${path}`,
        `wallet.${operationId}(…)`,
        ...(address === "base_url" ? [] : ["a different host"]),
        ...(isWeak(provenance) ? [longWords[provenance]] : []),
      ];
      // Stated and documented facts have no mark. The list of assumptions shows their provenance.
      const isMarked = withClass(main, "mark-specification").length + withClass(main, "mark-reference").length > 0;
      const folded = textOf(withClass(main, "open-questions")[0]);
      return [
        ...words.filter((word) => !head.includes(word)),
        ...(head.includes("only the edition test has it") === (edition === "test") ? [] : ["the note of the edition"]),
        ...(isMarked || !(isWeak(provenance) || folded.includes(longWords[provenance])) ? [folded] : []),
      ];
    });
  });

  test("shows every parameter and field with its values, patterns and sensitivity, and a mark where it is less sure", () => {
    expectNone((operation, page) => [
      ...operation.parameters.flatMap(({ name, in: where, required, example }) => {
        const id = `${where}-${name}`;
        const isRight = page.text(id).includes("required") === required;
        return [
          ...page.lacks(id, [name, String(example ?? "")]),
          ...(isRight ? [] : [`${id} is required: ${required}`]),
        ];
      }),
      ...bodiesOf(operation).flatMap(({ prefix, schema, provenance }) =>
        [...fieldsOf(schema, provenance)].flatMap(([path, { words, sureness }]) => {
          const id = `${prefix}-${path}`;
          const shown = markAt(page.page.byId.get(id));
          const wanted = isWeak(sureness, operation.provenance) ? sureness : undefined;
          return [...page.lacks(id, words), ...(shown === wanted ? [] : [`${id} is ${sureness}, its mark ${shown}`])];
        }),
      ),
    ]);
  });

  test("shows what a request requires first, before all the user whom it is about", () => {
    expectNone((_, { page: { main } }) =>
      withClass(main, "fields").flatMap(({ childNodes }) => {
        const heads = (childNodes as Element[]).map((field) => textOf(field.childNodes[0]));
        const required = heads.filter((head) => head.includes(" required"));
        const isFirst = !required.slice(1).some((head) => head.startsWith("externalUserId "));
        return isFirst && required.join() === heads.slice(0, required.length).join() ? [] : heads;
      }),
    );
  });

  test("links every code, webhook, next call and question, and marks what is less sure", () => {
    expectNone((operation, page) => {
      const { responses, effects, triggers, requires, provenance } = operation;
      const rows = withClass(page.page.main, "codes").flatMap(elementsOf);
      const codes = pairsIn(operation).filter(({ code }) => {
        const row = rows.find(({ tagName, childNodes }) => tagName === "tr" && textOf(childNodes[0]).startsWith(code));
        const pair = pairsOf(code).find((other) => other.operation === operation);
        return (
          row !== undefined && markIn(row) !== (isWeak(pair?.provenance, provenance) ? pair?.provenance : undefined)
        );
      });
      const marks = (name: string) =>
        withClass(page.page.main, name).flatMap(({ childNodes }) =>
          childNodes.map((child) => markIn(child as Element)),
        );
      const wanted = (own: (Provenance | undefined)[]) =>
        own.map((mark) => (isWeak(mark, provenance) ? weakest(provenance ?? "proposed", mark) : undefined));
      const events = triggers.map(({ webhook, provenance: own }) => {
        const event = webhooks.find(({ name }) => name === webhook)?.event;
        return weakest(provenance ?? "proposed", own, event?.provenance);
      });
      const isMarked =
        marks("effects").join() === wanted(effects.map((effect) => effect.provenance)).join() &&
        marks("triggers").join() === wanted(events).join();
      const next = linksOf(operation).map(({ operationId }) => operationId);
      return [
        ...page.unlinked("error", [
          ...responses.flatMap((response) => response.codes),
          ...requires.flatMap(({ code = [] }) => code),
        ]),
        ...page.unlinked(
          "webhook",
          triggers.map(({ webhook }) => webhook),
        ),
        ...page.unlinked("operation", next),
        ...page.unlinked("question", questionsOf(operation)),
        ...codes.map(({ code }) => `the mark of ${code}`),
        ...(isMarked ? [] : ["the marks of effects or webhooks"]),
      ];
    });
  });

  test("says which values of the response go into the next call", () => {
    expectNone((operation, page) => {
      const expressions = linksOf(operation).flatMap((link) =>
        Object.values({ ...link.parameters, ...link.requestBody }),
      );
      const taken = expressions.filter((value) => value.startsWith("$response"));
      return page.lacks(
        "next",
        taken.map((value) => value.split(/[./]/).at(-1) ?? ""),
      );
    });
  });

  test("names the guides that link to it, or show a journey that calls it, once each", () => {
    expectNone(({ operationId }, { page }) => {
      const calls = `$sourceDescriptions.contract.${operationId}`;
      const journeys = site.journeys.filter(({ steps }) => steps.some((step) => step.operationId === calls));
      const blocks = [`(operation:${operationId})`, ...journeys.map(({ workflowId }) => `{{journey ${workflowId}}}`)];
      const guides = site.guides.filter(({ text }) => blocks.some((block) => text.includes(block)));
      const shown = withClass(page.main, "guides")
        .flatMap(elementsOf)
        .flatMap(({ attrs }) => attrs.map(({ value }) => value));
      const wanted = guides.map(({ name }) => relativeHref(page.path, pathOf({ kind: "guide", name })));
      return [
        ...wanted.filter((href) => !shown.includes(href)),
        ...shown.filter((href, at) => shown.indexOf(href) < at),
      ];
    });
  });

  test("shows every sample in the languages of the site", () => {
    expectNone((operation, { page: { main } }) => {
      const languages = withClass(main, "snippet").map(({ attrs }) => attrs.at(-1)?.value);
      const samples = operationSamples(operation, site);
      const wanted = samples.flatMap(() => ["curl", "typescript"]);
      // Without -X, curl sends a POST with a body, and a GET without one.
      const methods = samples.map(({ snippets: { curl } }) => {
        return /-X (\w+)/.exec(curl)?.[1] ?? (/^ {2}-[dF] /m.test(curl) ? "POST" : "GET");
      });
      const isRight =
        languages.join() === wanted.join() && methods.every((one) => one.toLowerCase() === operation.method);
      return isRight && wanted.length > 0 ? [] : [...languages, ...methods].map(String);
    });
  });

  test("links the lifecycle of a status from its known values", () => {
    expectNone(({ name, responses }, { page: { main } }) => {
      const schemas = responses.flatMap(({ bodies }) =>
        bodies.flatMap(({ schema }) => [...propertiesOf(schema).values()]),
      );
      const names = schemas.map(({ target }) => target.name);
      const wanted = resources.filter(({ states }) => states.some(({ schema }) => schema && names.includes(schema)));
      const shown = withClass(main, "values").flatMap((values) =>
        elementsOf(values).flatMap(({ attrs }) => attrs.map(({ value }) => value)),
      );
      const hrefs = wanted.map((resource) => `../lifecycles/${slugOf(resource.name)}.html`);
      return hrefs.filter((href) => !shown.includes(href)).map((href) => `${name} lacks ${href}`);
    });
  });

  test("says that other codes may occur, but where the codes are stated", () => {
    expectNone(({ responses }, page) => {
      const isOpen = responses.some((response) => response.isOpen);
      return page.text("errors").includes("Other codes may occur.") === isOpen ? [] : [`open: ${isOpen}`];
    });
  });
});

test("lists have every operation, webhook, code and resource, with the edition of what is proposed", () => {
  const single = [operationsPage, webhooksPage, errorsPage, lifecyclesPage].map((make) => make(site));
  const pages = parsePages([...single, ...areaPages(site)], site).map((page) => new Judged(page));
  const [all, events, errors, states, ...areas] = pages as [Judged, Judged, Judged, Judged, ...Judged[]];
  const areaOf = (tag: string) => areas.find(({ page }) => page.path === pathOf({ kind: "area", name: tag })) as Judged;
  const missing = [
    ...events.unlinked("webhook", namesOf(webhooks)),
    ...errors.unlinked("error", namesOf(errorCodes.map(({ code: name }) => ({ name })))),
    ...errors.unlinked("question", idsIn(errorCodes.map(({ location }) => location.value))),
    ...states.unlinked("lifecycle", namesOf(resources)),
    ...webhooks.flatMap(({ name, tag }) => areaOf(tag).unlinked("webhook", [name])),
    ...operations.flatMap(({ name, tag, provenance }) =>
      [all, areaOf(tag)].flatMap((list) => {
        const href = list.href("operation", name);
        const row = elementsOf(list.page.main).find(
          (element) => element.tagName === "tr" && elementsOf(element).some(({ attrs }) => attrs[0]?.value === href),
        );
        const isMarked = row?.attrs.some((attr) => attr.name === "data-edition") ?? "absent";
        return isMarked === (provenance === "proposed") ? [] : [`${list.page.path}: ${name} is ${isMarked}`];
      }),
    ),
  ];
  expect(missing).toEqual([]);
  expect(errors.text("without-a-code")).toMatch(/401 .*header is missing.*In production.*allow-list.* Every operation/);
});

describe("the page of a code", () => {
  const expectNone = judge(errorPages, errorCodes, ({ code }) => ({ kind: "error", name: code }));

  test("says status, who acts, retry and what to do, and shows the body", () => {
    // The retry advice determines whether a call may have taken effect, as in the client.
    const effects = { none: "Yes", never: "No", "after-change": "No", later: "Unknown", unknown: "Unknown" };
    expectNone(({ code, meaning, status, retry, resolvedBy, openQuestions, provenance = "proposed" }, page) => {
      const facts = withClass(page.page.main, "subject-facts")[0] as Element;
      const mark = isWeak(provenance) ? ` ${shortWords[provenance]}` : "";
      const words = `HTTP status ${status}${mark} Took effect ${effects[retry]}:`;
      return [
        ...page.lacks(undefined, [`${code} ${meaning}`, `"errorCode": "${code}"`]),
        ...(textOf(facts).includes(words) && withClass(facts, "mark").length === (mark === "" ? 0 : 1)
          ? []
          : [textOf(facts)]),
        ...page.unlinked("operation", resolvedBy),
        ...page.unlinked("question", openQuestions),
      ];
    });
  });

  test("shows every operation that returns it, the surest first, with the mark of that very pair and what leads to it where that differs", () => {
    expectNone(({ code }, { page: { main } }) => {
      const shown = withClass(main, "pairs").flatMap(({ childNodes }) => (childNodes as Element[]).map(textOf));
      const pairs = pairsOf(code);
      const sorted = [false, true].flatMap((weak) => pairs.filter(({ provenance }) => isWeak(provenance) === weak));
      const causes = pairs.map((pair) => causesOf(pair)).filter((cause) => cause !== "");
      const differ = new Set(causes).size > 1;
      const isRight = sorted.every((pair, index) => {
        const { operation, provenance } = pair;
        const mark = isWeak(provenance) ? ` ${shortWords[provenance]}` : "";
        const words = shown[index]?.replace(/ :/, ":") ?? "";
        return (
          words.startsWith(`${operation.summary}${mark}`) &&
          words.includes(": when") === (differ && causesOf(pair) !== "")
        );
      });
      return isRight && shown.length === pairs.length ? [] : shown;
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
    const known = pairs.filter(({ provenance }) => !isWeak(provenance));
    expect(textOf(withClass(p459.main, "lead")[0])).toBe(
      `Returned when the user is not verified. ${known.length} of ${operations.length} operations return it; ${pairs.length - known.length} more may.`,
    );
  });
});

describe("the page of a webhook", () => {
  const expectNone = judge(webhookPages, webhooks, ({ name }) => ({ kind: "webhook", name }));

  test("says where it is sent, how sure that is, and after which values and calls", () => {
    expectNone(({ name, path, pathProvenance, provenance = "proposed", event, requestBody }, page) => {
      const head = textOf(withClass(page.page.main, "subject")[0]);
      // Path and body have separate marks. For some webhooks the specification states only the name.
      const marks = { path: pathProvenance ?? provenance, body: weakest(provenance, requestBody?.effective) };
      const certainty = [
        ...(provenance === "proposed" ? ["Name only The specification states its name."] : []),
        ...Object.entries(marks).flatMap(([part, mark]) => (isWeak(mark) ? [`The ${part}: ${shortWords[mark]}`] : [])),
      ];
      const leading = operations.filter(({ triggers }) => triggers.some(({ webhook }) => webhook === name));
      const isCode = /^card.*Code$/.test(name) && event !== undefined;
      const when = page.text("when");
      return [
        ...[`POST ${path}`, ...certainty].filter((words) => !head.includes(words)),
        ...page.lacks("when", event?.after ?? []),
        ...page.unlinked("operation", namesOf(leading)),
        ...(/ \.|(balances|files) becomes/.test(when) ? [when] : []),
        // The webhooks with a card's code are sent without a change of the card's state.
        ...(when.includes("for a card that is ACTIVE") === isCode && !(isCode && when.includes("Without a call"))
          ? []
          : [when]),
      ];
    });
  });

  test("shows the fields in the order of the body, and every example with the command that sends it", () => {
    expectNone(({ name, requestBody }, page) => [
      ...(requestBody?.bodies ?? []).flatMap(({ schema, examples }) => {
        const shown = page.page.ids.flatMap((id) => (/^body-\w+$/.test(id) ? id.slice(5) : []));
        const isRight = shown.join() === [...propertiesOf(schema).keys()].join();
        const sent = examples.flatMap((example) =>
          page.lacks(`sample-${example.name}`, [`partner-wallet-api webhook ${name}`]),
        );
        return [...(isRight ? [] : shown), ...sent];
      }),
      ...page.lacks("sample-receiver", ["createWebhookHandler"]),
      // A receiver that rejects other events would lose them.
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
        ...page.lacks("response", [...responses.map(({ key }) => key), ...dedupeKey]),
        ...(dedupeKey.length === 0 ? page.lacks("response", ["No fields of the body identify an event"]) : []),
        ...(field === undefined || fields.includes(field) ? [] : [`no field ${field}`]),
        ...page.unlinked("operation", resource?.details ?? []),
        ...page.unlinked("question", questionsOf(webhook)),
      ];
    });
  });
});

describe("the page of a resource", () => {
  const expectNone = judge(lifecyclePages, resources, ({ name }) => ({ kind: "lifecycle", name }));

  test("links every operation and webhook that concerns it", () => {
    expectNone(({ name, details }, page) => {
      const concerned = operations.filter(
        ({ operationId, effects }) =>
          details.includes(operationId) || effects.some(({ resource }) => resource === name),
      );
      return [
        ...page.unlinked("operation", namesOf(concerned)),
        ...page.unlinked("webhook", namesOf(webhooks.filter(({ event }) => event?.resource === name))),
        // The guides explain how to handle unknown values, not the lifecycle pages.
        ...(/as not final|do not know/.test(page.text()) ? ["unknown values"] : []),
      ];
    });
  });

  test("names the external events as the mock takes them", () => {
    expectNone(({ name, externalEvents }, { page: { main } }) => {
      const entries = withClass(main, "external-event-name").map((entry) => textOf(entry).replace("In the mock: ", ""));
      const isKnown = entries.every((entry) => Object.hasOwn(eventTriggers, `${name}.${entry}`));
      return isKnown && entries.join() === externalEvents.map((event) => event.name).join() ? [] : entries;
    });
  });
});
