import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { projectRoot } from "../../../scripts/base/index.ts";
import type { Mutant, Statement } from "./mutant.ts";

/** A file belongs to the first area whose folder contains it. `untestedFiles` run in browsers, and most of their tests are in test/peers. */
const areas: readonly { name: string; folder: string; tests: RegExp; slowTests?: RegExp; untestedFiles?: RegExp }[] = [
  {
    name: "payments",
    folder: "scripts/client/src/payments",
    tests: /^test\/client\/payments\/(?!.*(?:explore|simulation)\.slow)/,
    slowTests: /^test\/client\/payments\/stores/,
  },
  { name: "client", folder: "scripts/client/src", tests: /^test\/client\/(?!dist|payments)/ },
  {
    name: "mock",
    folder: "scripts/mock",
    untestedFiles: /^scripts\/mock\/page\//,
    tests: /^test\/(mock\/(?!alone|prism|assumes)|cli\/(?:control|webhook)\.test)/,
    slowTests: /^test\/mock\/random/,
  },
  {
    name: "bundle",
    folder: "scripts/contract/bundle",
    // The stock command `redocly bundle` is tested in test/cli/tools.slow.test.ts.
    tests: /^test\/(contract\/bundle\/|lint\/|cli\/tools)/,
    slowTests: /^test\/cli\/tools/,
  },
  {
    name: "lint",
    folder: "scripts/lint",
    tests: /^test\/lint\/(?!command|mutations)/,
    slowTests: /^test\/lint\/rules-mistakes/,
  },
  {
    name: "prove",
    folder: "scripts/prove",
    tests: /^test\/(prove\/(?!corpus|guide)|cli\/prove)/,
    slowTests: /^test\/(prove\/prove-|cli\/prove)/,
  },
  {
    name: "site",
    folder: "scripts/site",
    untestedFiles: /^scripts\/site\/assets\/browser\//,
    tests: /^test\/site\/(?!.*slow)/,
  },
  { name: "service", folder: "scripts/service", tests: /^test\/service\// },
  {
    name: "changes",
    folder: "scripts/tools/changes",
    tests: /^test\/tools\/changes\//,
    slowTests: /^test\/tools\/changes\//,
  },
  {
    name: "release",
    folder: "scripts/tools/release",
    tests: /^test\/tools\/release\//,
    slowTests: /^test\/tools\/release\//,
  },
];

const replacements = new Map([
  ["===", "!=="],
  ["!==", "==="],
  ["&&", "||"],
  ["||", "&&"],
  ["??", "&&"],
  ["<", "<="],
  [">", ">="],
  ["<=", "<"],
  [">=", ">"],
  ["+", "-"],
  ["true", "false"],
  ["false", "true"],
  ["await", ""],
  ["some", "every"],
  ["every", "some"],
]);

export function runtimeMutants(): Mutant[] {
  const allMutants = areas.flatMap(({ name: area, folder, tests, slowTests, untestedFiles }, index) =>
    readdirSync(`${projectRoot}/${folder}`, { recursive: true, encoding: "utf8" })
      .sort()
      .map((name) => `${folder}/${name}`)
      .filter((path) => /(?<!\.d)\.tsx?$/.test(path) && !untestedFiles?.test(path))
      .filter((path) => !areas.slice(0, index).some((other) => path.startsWith(`${other.folder}/`)))
      .flatMap(mutantsOf)
      .map((mutant) => ({ ...mutant, area, tests, slowTests })),
  );
  const equivalentEntries = readFileSync(new URL("./equivalent.txt", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("scripts/"));
  const unusedEntries = equivalentEntries.filter((entry) => allMutants.every((mutant) => mutant.entry !== entry));
  if (unusedEntries.length > 0)
    throw new Error(`The code has no such line any more; remove it from equivalent.txt: ${unusedEntries.join("\n")}`);
  return allMutants.filter(({ entry }) => !equivalentEntries.includes(entry));
}

function mutantsOf(path: string) {
  const text = readFileSync(`${projectRoot}/${path}`, "utf8");
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return mutableTokens(file).map((token) => {
    const [originalToken, replacement] = [token.getText(), replacements.get(token.getText()) as string];
    const mutatedText = text.slice(0, token.getStart()) + replacement + text.slice(token.end);
    const { line } = file.getLineAndCharacterOfPosition(token.getStart());
    return {
      path,
      text: mutatedText,
      key: `${path} ${originalToken}`,
      entry: `${path}: ${mutatedText.split("\n")[line]?.trim()}`,
      change: `${path}:${line + 1} \`${originalToken}\` is \`${replacement}\``,
      statement: statementOf(token),
    };
  });
}

function mutableTokens(node: ts.Node): ts.Node[] {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return [];
  const parts = node.getChildren();
  if (parts.length > 0) return parts.flatMap(mutableTokens);
  if (!replacements.has(node.getText())) return [];
  const { parent } = node;
  if (ts.isIdentifier(node)) return ts.isPropertyAccessExpression(parent) && parent.name === node ? [node] : [];
  if (/\w/.test(node.getText())) return [node];
  // Excludes `<` and `>` around type arguments, and every `+` except `+ 1`, which is the likeliest to be mistaken for `-`.
  if (!ts.isBinaryExpression(parent) || (node.getText() === "+" && parent.right.getText() !== "1")) return [];
  // JavaScript forbids `&&` beside `??` without parentheses.
  const isMixed = node.getText() === "??" && [parent.left, parent.right, parent.parent].some(isNullish);
  return isMixed ? [] : [node];
}

function isNullish(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
}

function statementOf(node: ts.Node): Statement {
  const { parent } = node;
  const isExpression = ts.isArrowFunction(parent) && parent.body === node;
  const isStatement = ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent);
  if (isExpression || (isStatement && ts.isStatement(node)))
    return { start: node.getStart(), end: node.end, isExpression };
  return statementOf(parent);
}
