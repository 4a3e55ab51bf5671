import { visitTokens } from "../../../../client/src/reading/index.ts";

/** Changes only white space. Parsing would rewrite 125.50 and long numbers. */
export function layOutJson(text: string): string {
  let result = "";
  let depth = 0;
  let previousToken = "";
  const breakLine = () => {
    result += `\n${"  ".repeat(depth)}`;
  };
  visitTokens(text, (firstCharacter, start, end) => {
    const isClosing = firstCharacter === "}" || firstCharacter === "]";
    if (isClosing) depth -= 1;
    const isEmpty = isClosing && (previousToken === "{" || previousToken === "[");
    if ((isClosing && !isEmpty) || (!isClosing && /[{[,]/.test(previousToken))) breakLine();
    if (previousToken === ":") result += " ";
    result += text.slice(start, end);
    if (firstCharacter === "{" || firstCharacter === "[") depth += 1;
    previousToken = firstCharacter;
  });
  return result;
}

/** The message of the parser; undefined if the text is JSON. */
export function jsonErrorOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
