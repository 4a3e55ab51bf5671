import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { readRunnableAnswers } from "../../scripts/contract/sources/index.ts";
import { damageOf, howToRun } from "../../scripts/site/content/answers.ts";

const breaks: Record<string, Record<string, string[]>> = JSON.parse(
  readFileSync(`${projectRoot}/generated/breaks.json`, "utf8"),
);
const questions = Object.entries(readRunnableAnswers());

test("each answer says how to run it and what it breaks, or why it cannot be run", () => {
  const kinds = new Set<string>();
  for (const [id, answers] of questions) {
    for (const [answer, world] of Object.entries(answers)) {
      const text = howToRun(id, answer);
      const brokenParts = breaks[`${id}=${answer}`] ?? {};
      const [kind, expected] =
        world.cannot !== undefined
          ? ["cannot", [`It cannot be run: ${world.cannot}`]]
          : Object.keys(world).length === 0
            ? ["default", ["The mock does this by default."]]
            : Object.keys(brokenParts).length === 0
              ? ["harmless", [`--answer "${id}=${answer}"`, "Nothing here breaks with it."]]
              : [
                  "breaking",
                  [`--answer "${id}=${answer}"`, "this breaks here: ", ...Object.values(brokenParts).flat()],
                ];
      kinds.add(String(kind));
      for (const words of expected ?? []) expect(text).toContain(words);
    }
  }
  expect([...kinds].sort()).toEqual(["breaking", "cannot", "default", "harmless"]);
  expect(howToRun("Q-none", "None")).toBe("");
});

test("the damage of a question is that of its worst answer: programs and payments first, then all parts", () => {
  for (const [id, answers] of questions) {
    const counts = Object.keys(answers).map((answer) => {
      const { payments = [], programs = [], ...others } = breaks[`${id}=${answer}`] ?? {};
      const programCount = payments.length + programs.length;
      return 1000 * programCount + programCount + Object.values(others).flat().length;
    });
    const [programs, all] = damageOf(id, Object.keys(answers));
    expect(1000 * programs + all, id).toBe(Math.max(...counts));
  }
  expect(damageOf("Q-none", [])).toEqual([0, 0]);
});
