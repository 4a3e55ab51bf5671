/** Links to subjects of the contract, alone and in lists. */
import { type ComponentChildren, Fragment } from "preact";
import { type Expression, parseExpression } from "../../contract/model/index.ts";
import type { Guide } from "../site/guides.ts";
import { findTarget, nameOfPage, type TargetKind } from "../site/site.ts";
import { wordsOf } from "../text/words.ts";
import { useHrefs, usePage } from "./page-context.ts";

interface Props {
  to: TargetKind;
  name: string;
  /** Default: the subject's title. */
  children?: ComponentChildren;
}

/** A link to the page of a subject; plain text where there is no such page. */
export function Link({ to, name, children }: Props) {
  const { site } = usePage();
  const hrefs = useHrefs();
  const target = findTarget(site, to, name);
  if (target === undefined) return <>{children ?? name}</>;
  return <a href={hrefs.to(target)}>{children ?? nameOfPage(site, target)}</a>;
}

type Joint = "and" | "or";

/** Parts joined to a list: `a, b or c`. */
export function List({ parts, joint }: { parts: readonly ComponentChildren[]; joint: Joint }) {
  return (
    <>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && (index === parts.length - 1 ? ` ${joint} ` : ", ")}
          {part}
        </Fragment>
      ))}
    </>
  );
}

export function OperationLinks({ operationIds, joint }: { operationIds: readonly string[]; joint: Joint }) {
  return <List joint={joint} parts={operationIds.map((name) => <Link key={name} to="operation" name={name} />)} />;
}

/** Interface values as code. */
export function Codes({ values, joint }: { values: readonly string[]; joint: Joint }) {
  return <List joint={joint} parts={values.map((value) => <code key={value}>{value}</code>)} />;
}

/** Links to the pages of P-codes. */
export function CodeLinks({ codes, joint }: { codes: readonly string[]; joint: Joint }) {
  return <List joint={joint} parts={codes.map((code) => <CodeLink key={code} code={code} />)} />;
}

export function CodeLink({ code }: { code: string }) {
  return (
    <Link to="error" name={code}>
      {code}
    </Link>
  );
}

/** The name of a resource, linked to its lifecycle. */
export function ResourceLink({ name }: { name: string }) {
  return (
    <Link to="lifecycle" name={name}>
      {wordsOf(name)}
    </Link>
  );
}

const placeWords: Record<Expression["of"], string> = {
  path: " in the path",
  query: " in the query",
  request: " in the request body",
  response: " in the response",
};

/** The request parts that runtime expressions of OpenAPI refer to: `externalUserId` in the path. Names in the same location are grouped. */
export function Places({ expressions, joint }: { expressions: readonly string[]; joint: Joint }) {
  const names = new Map<string, string[]>();
  for (const expression of expressions) {
    const { of, name } = parseExpression(expression) ?? { of: undefined, name: expression };
    const words = of === undefined ? "" : placeWords[of];
    names.set(words, [...(names.get(words) ?? []), name]);
  }
  const parts = [...names].map(([words, some]) => (
    <Fragment key={words}>
      <Codes values={some} joint={joint} />
      {words}
    </Fragment>
  ));
  return <List parts={parts} joint={joint} />;
}

/** The guides that mention a subject, as a paragraph; empty where there are none. */
export function guideLinks(guides: readonly Guide[]): ComponentChildren {
  if (guides.length === 0) return null;
  const links = guides.map(({ name }) => <Link key={name} to="guide" name={name} />);
  return (
    <p class="guides">
      {guides.length === 1 ? "Guide" : "Guides"}: <List joint="and" parts={links} />.
    </p>
  );
}
