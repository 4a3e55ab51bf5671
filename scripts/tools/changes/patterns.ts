import { CharSet, type Concatenation, DFA, type Element, isDisjointWith, JS, NFA, type NoParent } from "refa";

/**
 * Whether `otherPattern` accepts every text that `pattern` accepts; undefined if this cannot be computed, for example because one has
 * lookarounds or back references.
 */
export function isSubsetOf(pattern: string, otherPattern: string): boolean | undefined {
  try {
    const complement = DFA.fromFA(automaton(otherPattern));
    complement.complement();
    return isDisjointWith(automaton(pattern), NFA.fromFA(complement));
  } catch {
    return undefined;
  }
}

/**
 * Returns an automaton for the texts in which the pattern occurs, as in JSON Schema.
 *
 * @throws {Error} for assertions other than `^` at the start and `$` at the end, back references and syntax errors.
 */
function automaton(pattern: string): NFA {
  const { expression, maxCharacter } = JS.Parser.fromLiteral({ source: pattern, flags: "u" }).parse();
  const characters: NoParent<Concatenation> = {
    type: "Concatenation",
    elements: [{ type: "CharacterClass", characters: CharSet.all(maxCharacter) }],
  };
  const anything: NoParent<Element> = {
    type: "Quantifier",
    min: 0,
    max: Infinity,
    lazy: false,
    alternatives: [characters],
  };
  const alternatives = expression.alternatives.map(({ elements }): NoParent<Concatenation> => {
    const [hasStartAnchor, hasEndAnchor] = [isEdge(elements[0], "behind"), isEdge(elements.at(-1), "ahead")];
    const innerElements = elements.slice(hasStartAnchor ? 1 : 0, hasEndAnchor ? -1 : undefined);
    const parts = [hasStartAnchor ? [] : [anything], innerElements, hasEndAnchor ? [] : [anything]];
    return { type: "Concatenation", elements: parts.flat() };
  });
  return NFA.fromRegex(alternatives, { maxCharacter }, { assertions: "throw" });
}

/** Whether the element is `^` or `$`, which the parser represents as an assertion that no character precedes or follows. */
function isEdge(element: Element | undefined, kind: "ahead" | "behind"): boolean {
  if (element?.type !== "Assertion" || element.kind !== kind || !element.negate) return false;
  const [onlyElement, ...otherElements] = element.alternatives.flatMap(({ elements }) => elements);
  return otherElements.length === 0 && onlyElement?.type === "CharacterClass" && onlyElement.characters.isAll;
}
