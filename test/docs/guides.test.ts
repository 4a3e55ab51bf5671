/** What the guides name is there: links, blocks, marks, codes, and the list of the guides itself. */
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import { describe, expect, it, test } from "vitest";
import { projectRoot } from "../../scripts/contract/index.ts";
import { type Guide, readGuides } from "../../scripts/docs/site/guides.ts";
import { readJourneys } from "../../scripts/docs/site/journeys.ts";
import { slugOf } from "../../scripts/docs/site/pages.ts";
import { createSite, findTarget, type TargetKind, targetKinds } from "../../scripts/docs/site/site.ts";
import { linkText } from "../../scripts/docs/text/links.ts";
import { readBundle } from "../../scripts/plan/index.ts";
import { Sources } from "../../scripts/sources/index.ts";

const folder = `${projectRoot}/openapi/guides`;
const guides = readGuides();
const sources = {
  registers: new Sources().registers(),
  guides,
  journeys: readJourneys(),
  changelog: "",
  comparison: "",
  scenario: {},
};
const site = createSite("test", { document: readBundle("test"), yaml: "", json: "" }, sources);
const { contract } = site;

/** The files of schemas with the known values of an open set, without the ending. */
const openSets = readdirSync(`${projectRoot}/openapi/schemas`, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".yaml"))
  .filter(
    (path) => "x-open-enum" in (parseYaml(readFileSync(`${projectRoot}/openapi/schemas/${path}`, "utf8")) as object),
  )
  .map((path) => basename(path, ".yaml"));

const operations = new Map(contract.operations.map((operation) => [operation.operationId, operation]));

/** Whether the words behind the name of a block are what it takes. */
const blocks: Record<string, (words: string[]) => boolean> = {
  journey: (ids) => ids.length === 1 && site.journeys.some(({ workflowId }) => workflowId === ids[0]),
  sample: ([id = "", example, ...rest]) => rest.length === 0 && hasExample(id, example),
  values: (names) => names.length === 1 && openSets.includes(names[0] as string),
  lifecycle: (names) => names.length === 1 && contract.resources.some(({ name }) => name === names[0]),
  codes: (ids) => ids.length > 0 && ids.every((id) => operations.has(id)),
  questions: (ids) => ids.length > 0 && ids.every((id) => Object.hasOwn(site.questions, id)),
  operations: (words) => site.areas.some(({ name }) => name === words.join(" ")),
};
for (const name of [
  "error-table",
  "errors-without-code",
  "webhook-table",
  "delivery",
  "sensitive-fields",
  "provenance-classes",
]) {
  blocks[name] = (words) => words.length === 0;
}

function hasExample(id: string, example: string | undefined): boolean {
  const operation = operations.get(id);
  if (operation === undefined || example === undefined) return operation !== undefined;
  const bodies = [...(operation.requestBody?.bodies ?? []), ...operation.answers.flatMap((answer) => answer.bodies)];
  return bodies.some(({ examples }) => examples.some(({ name }) => name === example));
}

/** What a guide names that is not there. */
function wrongNames({ name, text }: Pick<Guide, "name" | "text">): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");
  const targets = [...prose.matchAll(/\]\(([^)]*)\)/g)].map(([, target = ""]) => target);
  const headings = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, words = ""]) => slugOf(words));
  const wrongTargets = targets.filter((target) => {
    if (target.startsWith("#")) return !headings.includes(target.slice(1));
    const [kind = "", ...rest] = target.split(":");
    return !targetKinds.includes(kind as TargetKind) || !findTarget(site, kind as TargetKind, rest.join(":"));
  });
  const wrongBlocks = [...prose.matchAll(/^.*(\{\{.*|\}\}).*$/gm)]
    .map(([line]) => line)
    .filter((line) => {
      const [, words = ""] = /^\{\{([^{}]+)\}\}$/.exec(line) ?? [];
      const [block = "", ...rest] = words.split(" ");
      const isAlone = text.includes(`\n\n${line}\n\n`) || text.endsWith(`\n\n${line}`);
      return !isAlone || !Object.hasOwn(blocks, block) || blocks[block]?.(rest) !== true;
    });
  const wrongMarks = [...prose.matchAll(/\{mark:([^}]*)\}/g)]
    .filter(([, mark = ""]) => !/^(specification|reference|observed|proposed|sensitive|irregular)$/.test(mark))
    .map(([mark]) => mark);
  const wrongCodes = [...prose.matchAll(/\bP\d{3}\b/g)]
    .map(([code]) => code)
    .filter((code) => !findTarget(site, "error", code));
  return [...wrongTargets, ...wrongBlocks, ...wrongMarks, ...wrongCodes].map((wrong) => `${name}.md: ${wrong}`);
}

describe("the guides", () => {
  it("are the files of the folder, each listed once", () => {
    const files = readdirSync(folder).filter((file) => file.endsWith(".md"));
    expect(guides.map(({ name }) => `${name}.md`).sort()).toEqual(files.sort());
  });

  it("have titles of their own, and a summary of one sentence", () => {
    expect(new Set(guides.map(({ title }) => title)).size).toBe(guides.length);
    expect(guides.filter(({ summary }) => !/^[A-Z][^.]*\.$/.test(summary)).map(({ summary }) => summary)).toEqual([]);
  });

  it("have synonyms that are words", () => {
    const wrong = guides.flatMap(({ synonyms }) => synonyms.filter((word) => typeof word !== "string" || word === ""));
    expect(wrong).toEqual([]);
  });

  it("name what there is", () => expect(guides.flatMap(wrongNames)).toEqual([]));

  it("begin with a heading of the second level, since the title is the first", () => {
    expect(guides.filter(({ text }) => /^# /m.test(text.replace(/^```[\s\S]*?^```$/gm, "")))).toEqual([]);
  });
});

describe("a name that is not there is found:", () => {
  const wrong = [
    "[words](operation:createTransferr)",
    "[words](webhook:p2p)",
    "[words](error:P40)",
    "[words](question:Q-none)",
    "[words](guide:none)",
    "[words](lifecycle:none)",
    "[words](area:None)",
    "[words](section:Errors)",
    "[words](#no-heading)",
    "{{tables}}",
    "{{journey none}}",
    "{{sample createTransfer none}}",
    "{{values User}}",
    "{{lifecycle none}}",
    "{{codes createTransfer none}}",
    "{{codes}}",
    "{{questions Q-none}}",
    "{{operations None}}",
    "{{delivery now}}",
    "Text {{delivery}}",
    "{mark:guess}",
    "the code P999",
  ];
  it.each(wrong)("%s", (text) => {
    expect(wrongNames({ name: "made-up", text: `Text.\n\n${text}\n\nText.` })).toHaveLength(1);
  });

  it("and not in code", () => {
    expect(wrongNames({ name: "made-up", text: "`{{tables}}`\n\n```ts\n// P999\n```" })).toEqual([]);
  });
});

test("what an edition does not have leads to the other one, where that has it", () => {
  const latest = createSite("latest", { document: readBundle("latest"), yaml: "", json: "" }, sources);
  const link = (text: string) => {
    const isElsewhere = (name: string) => name === "extendUser";
    return linkText(
      text,
      latest,
      ({ kind }) => kind,
      (kind, name) => (isElsewhere(name) ? `${kind}/${name}` : undefined),
    );
  };
  expect(link("Call [it](operation:extendUser), Extend user, Suspend User, or [that](webhook:none).")).toBe(
    "Call [it (not in this edition)](operation/extendUser), [Extend user (not in this edition)](operation/extendUser), " +
      "Suspend User (not in this edition), or that (not in this edition).",
  );
});
