import { visitTokens } from "../../../../client/src/reading/index.ts";

/** Adds line breaks and indentation to a JSON text. All tokens stay as they are: parsing would rewrite 125.50 and long numbers. */
export function layOutJson(text: string): string {
  let result = "";
  let depth = 0;
  let last = "";
  const breakLine = () => {
    result += `\n${"  ".repeat(depth)}`;
  };
  visitTokens(text, (first, start, end) => {
    const isClosing = first === "}" || first === "]";
    if (isClosing) depth -= 1;
    const isEmpty = isClosing && (last === "{" || last === "[");
    if ((isClosing && !isEmpty) || (!isClosing && /[{[,]/.test(last))) breakLine();
    if (last === ":") result += " ";
    result += text.slice(start, end);
    if (first === "{" || first === "[") depth += 1;
    last = first;
  });
  return result;
}
