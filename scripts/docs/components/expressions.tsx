/** Runtime expressions of OpenAPI in words: `externalUserId` of the path. */
import { type Expression, parseExpression } from "../../contract/index.ts";

const placeWords: Record<Expression["of"], string> = {
  path: "in the path",
  query: "in the query",
  request: "in the request body",
  response: "in the response",
};

interface Props {
  expressions: readonly string[];
  joint: "and" | "or";
  /** Whether the words stand beside those of another call. */
  isOfThisCall?: boolean;
}

/** Where expressions point to. Names in the same place stand together. */
export function Places({ expressions, joint, isOfThisCall = false }: Props) {
  const names = new Map<string, string[]>();
  for (const expression of expressions) {
    const { of, name } = parseExpression(expression) ?? { of: undefined, name: expression };
    const words = of === undefined ? "" : placeWords[of];
    names.set(words, [...(names.get(words) ?? []), name]);
  }
  return (
    <>
      {[...names].map(([words, some], index) => (
        <>
          {index > 0 && ` ${joint} `}
          {some.map((name, position) => (
            <>
              {position > 0 && ` ${joint} `}
              <code>{name}</code>
            </>
          ))}{" "}
          {words}
          {isOfThisCall && " of this call"}
        </>
      ))}
    </>
  );
}
