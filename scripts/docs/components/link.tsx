/** Links to what the contract names. */
import type { ComponentChildren } from "preact";
import { absentSuffix } from "../../contract/index.ts";
import { pathOf } from "../site/pages.ts";
import { findTarget, nameOfPage, type TargetKind } from "../site/site.ts";
import type { HrefElsewhere } from "../text/links.ts";
import { useHrefs, usePage } from "./page-context.ts";

interface Props {
  to: TargetKind;
  name: string;
  /** The name that people know it by, unless something else is given. */
  children?: ComponentChildren;
}

/** Finds the pages of the other edition. A question has none of its own, and its page may differ between the editions. */
export function useHrefElsewhere(): HrefElsewhere {
  const { site, otherPaths } = usePage();
  const hrefs = useHrefs();
  const other = site.edition === "latest" ? "test" : "latest";
  return (kind, name) => {
    if (kind === "question") return undefined;
    const path = pathOf({ kind, name });
    return otherPaths.has(path) ? hrefs.root(`${other}/${path}`) : undefined;
  };
}

/** A link to the page of something: to that of the other edition where this one does not have it. */
export function Link({ to, name, children }: Props) {
  const { site } = usePage();
  const hrefs = useHrefs();
  const hrefElsewhere = useHrefElsewhere();
  const target = findTarget(site, to, name);
  if (target === undefined) {
    const href = hrefElsewhere(to, name);
    const marked = (
      <>
        {children ?? site.contract.absentOperations[name] ?? name}
        {absentSuffix}
      </>
    );
    return href === undefined ? marked : <a href={href}>{marked}</a>;
  }
  return <a href={hrefs.to(target)}>{children ?? nameOfPage(site, target)}</a>;
}
