import type { ComponentChildren } from "preact";
import type { Provenance } from "../../contract/model/index.ts";
import type { Guide } from "../content/guides.ts";
import { linksTo } from "../content/links.ts";
import { findTarget, type TargetKind, titleOfTarget } from "../content/site.ts";
import { WeakMark } from "./marks.tsx";
import { useHrefs, usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";

interface Props {
  to: TargetKind;
  name: string;
  children?: ComponentChildren;
  provenance?: Provenance | undefined;
  baseProvenance?: Provenance;
}

export function Link({ to, name, children, ...provenances }: Props) {
  const { site } = usePage();
  const hrefs = useHrefs();
  const target = findTarget(site, to, name);
  if (target === undefined) return <>{children ?? name}</>;
  return (
    <>
      <a href={hrefs.page(target)}>{children ?? titleOfTarget(site, to, name)}</a>
      <WeakMark {...provenances} />
    </>
  );
}

export function guideLinks(guides: readonly Guide[]): ComponentChildren {
  if (guides.length === 0) return null;
  const names = guides.map(({ name }) => name);
  return (
    <p class="guides">
      <InlineProse text={`${guides.length === 1 ? "Guide" : "Guides"}: ${linksTo("guide", names, "and")}.`} />
    </p>
  );
}
