/** What the guides name is there: links, blocks, marks, codes, and the list of the guides itself. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/index.ts";
import { problemsOfGuide } from "../../scripts/docs/site/check-guides.ts";
import type { Guide } from "../../scripts/docs/site/guides.ts";
import { site } from "./whole-site.ts";

const folder = `${projectRoot}/openapi/guides`;
const { guides } = site;

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

  it("name what there is", () => expect(guides.flatMap((guide) => problemsOfGuide(guide, site))).toEqual([]));

  it("begin with a heading of the second level, since the title is the first", () => {
    expect(guides.filter(({ text }) => /^# /m.test(text.replace(/^```[\s\S]*?^```$/gm, "")))).toEqual([]);
  });
});

describe("a name that is not there is found:", () => {
  const problemsIn = (text: string) => problemsOfGuide({ ...(guides[0] as Guide), name: "made-up", text }, site);
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
    expect(problemsIn(`Text.\n\n${text}\n\nText.`)).toHaveLength(1);
  });

  it("and not in code", () => {
    expect(problemsIn("`{{tables}}`\n\n```ts\n// P999\n```")).toEqual([]);
  });
});
