/** Links to what the contract names. */
import type { ComponentChildren } from "preact";
import { findTarget, nameOfPage, type TargetKind } from "../site/site.ts";
import { useHrefs, usePage } from "./page-context.ts";

interface Props {
  to: TargetKind;
  name: string;
  /** The name that people know it by, unless something else is given. */
  children?: ComponentChildren;
}

/** A link to the page of something; only its words where the site has no such page. */
export function Link({ to, name, children }: Props) {
  const { site } = usePage();
  const hrefs = useHrefs();
  const target = findTarget(site, to, name);
  if (target === undefined) return <>{children ?? name}</>;
  return <a href={hrefs.to(target)}>{children ?? nameOfPage(site, target)}</a>;
}
