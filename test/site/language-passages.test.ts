import { expect, test } from "vitest";
import { splitByLanguage } from "../../scripts/site/text/language-passages.ts";

test("sections and programs in several languages that follow each other are passages", () => {
  const program = (name: string, fence: string) => `${name}, run with \`x\`:\n\n\`\`\`${fence}\n# ${name}\n\`\`\`\n\n`;
  const [python, csharp] = [program("Python", "py"), program("C#", "csharp")];
  expect(splitByLanguage(`Some words.\n\n## Programs\n\n${python}${csharp}The end.\n`)).toEqual([
    "Some words.\n\n## Programs\n\n",
    [
      { language: "python", text: python },
      { language: "csharp", text: csharp },
    ],
    "The end.\n\n",
  ]);
  expect(splitByLanguage("## Python\n\nA.\n\n### Deeper\n\nB.\n\n## PHP\n\nC.\n\n## Go live\n\nD.\n")).toEqual([
    [
      { language: "python", text: "## Python\n\nA.\n\n### Deeper\n\nB.\n\n" },
      { language: "php", text: "## PHP\n\nC.\n\n" },
    ],
    "## Go live\n\nD.\n\n",
  ]);
});

test("a single passage is part of the text", () => {
  const text = "## Python\n\nA.\n\n## Elsewhere\n\nGo, as in a game:\n\nB.\n\n";
  expect(splitByLanguage(text).join("")).toBe(text);
});
