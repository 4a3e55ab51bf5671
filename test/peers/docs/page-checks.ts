/** Each check returns its problems as lines of text. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The axe rules that depend on colours or the window's width. */
export const rulesOfAppearance = [
  "color-contrast",
  "link-in-text-block",
  "scrollable-region-focusable",
  "target-size",
  "aria-hidden-focus",
];

export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(`globalThis.axe ?? (() => {${axeSource}})()`);
  const options: RunOptions = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const { violations: found } = await page.evaluate(async (axeOptions) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    return await axe.run(axeOptions);
  }, options);
  return found.map(({ id, nodes }) => `${id} at ${nodes[0]?.target.join(" ")}: ${nodes[0]?.failureSummary}`);
}

export async function overflowProblems(page: Page): Promise<string[]> {
  const { width, limit, wideElement } = await page.evaluate(() => {
    const limit = document.documentElement.clientWidth;
    const isWide = (element: Element) => element.getBoundingClientRect().right > limit + 1;
    const wideElement = [...document.querySelectorAll("body *")].find(isWide)?.outerHTML.slice(0, 80);
    return { width: document.scrollingElement?.scrollWidth ?? 0, limit, wideElement };
  });
  return width > limit ? [`is ${width} pixels wide where the window has ${limit}: ${wideElement}`] : [];
}

/** Finds code blocks and tables that overflow without a visible hint that they scroll. */
export async function clippedElements(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const parts = [...document.querySelectorAll("pre, .scroll")].filter((element) => element.checkVisibility());
    const hasHint = (element: Element) => getComputedStyle(element).backgroundImage.includes("gradient");
    const cutElements = parts.filter((element) => element.scrollWidth > element.clientWidth + 1 && !hasHint(element));
    return cutElements.map((element) => `clips ${element.textContent?.slice(0, 60)}`);
  });
}

export async function countRequests(page: Page): Promise<number> {
  return await page.evaluate(() => 1 + new Set(performance.getEntriesByType("resource").map(({ name }) => name)).size);
}

export async function printProblems(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: "print" });
  const complaints = await page.evaluate(() => {
    const hiddenInPrint = document.querySelectorAll("body > header, body > footer, nav, button, select, .skip");
    const printedElements = [...hiddenInPrint].filter((element) => element.checkVisibility());
    const isHeadingShown = document.querySelector("main h1")?.checkVisibility() === true;
    return [
      ...printedElements.map((element) => `prints ${element.outerHTML.slice(0, 60)}`),
      ...(isHeadingShown ? [] : ["no heading"]),
    ];
  });
  await page.emulateMedia({ media: null });
  return complaints;
}

export async function textsIn(page: Page): Promise<{ text: string; isShown: boolean }[]> {
  return await page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector("main") as Element, NodeFilter.SHOW_TEXT);
    const texts: { text: string; isShown: boolean }[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      // The script inserts the address of the tested server into commands.
      const text = (node.textContent ?? "").trim().replaceAll(/http:\/\/127.0.0.1:\d+\/(?=\S+\.tgz)/g, "");
      const element = node.parentElement as HTMLElement;
      const isFolded = element.closest("details:not([open])") !== null && element.closest("summary") === null;
      // The title and description of a drawing are for screen readers only.
      if (text === "" || isFolded || element.matches("svg > title, svg > desc")) continue;
      // Only the script shows the note about dimmed entries.
      if (element.closest("[data-edition=latest]") !== null) continue;
      texts.push({ text, isShown: element.checkVisibility({ visibilityProperty: true }) });
    }
    return texts;
  });
}

export function firstMissingText(texts: readonly string[], otherTexts: readonly string[]): string | undefined {
  let startIndex = 0;
  return texts.find((text) => {
    const foundIndex = otherTexts.indexOf(text, startIndex);
    startIndex = foundIndex + 1;
    return foundIndex === -1;
  });
}

export async function findUnreachableElements(page: Page): Promise<string[]> {
  const count = await page.evaluate(() => {
    const interactive = "a[href], button, summary, select, input, textarea, [tabindex]";
    const elements = [...document.querySelectorAll<HTMLElement>(interactive)].filter((element) =>
      element.checkVisibility({ visibilityProperty: true }),
    );
    const unfocusedElements = new Set(elements);
    Object.assign(globalThis, { unfocusedElements });
    document.addEventListener("focusin", ({ target }) => unfocusedElements.delete(target as HTMLElement));
    return elements.length;
  });
  const remainingElements = () =>
    page.evaluate(() => {
      const { unfocusedElements } = globalThis as unknown as { unfocusedElements: Set<HTMLElement> };
      return [...unfocusedElements].map((element) => `is not reached: ${element.outerHTML.slice(0, 80)}`);
    });
  // Presses Tab more often than there are elements, because Chromium also focuses scrollable elements.
  for (let pressCount = 0; pressCount < count * 1.5; pressCount += 1) {
    await page.keyboard.press("Tab");
    if (pressCount >= count && (await remainingElements()).length === 0) break;
  }
  return await remainingElements();
}
