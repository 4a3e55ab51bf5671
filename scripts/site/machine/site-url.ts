/** The address that the site is hosted at. */
import { UsageError } from "../../contract/model/index.ts";

/** Stands for the address of the site where nobody names it; made up, as `.example` says. */
const unknownSiteUrl = "https://docs.wallet-service.example/";

export interface SiteAddress {
  /** With a slash at the end. */
  url: string;
  /** Its path, with a slash at both ends. */
  base: string;
  /** Whether somebody has named it. */
  isKnown: boolean;
}

/**
 * The address of the site.
 *
 * @param siteUrl absolute, with or without a slash at the end; undefined or empty where it is not known.
 * @throws {UsageError} when it is no absolute address of a web site.
 */
export function siteAddress(siteUrl: string | undefined): SiteAddress {
  const isKnown = siteUrl !== undefined && siteUrl !== "";
  const given = isKnown ? siteUrl : unknownSiteUrl;
  const text = given.endsWith("/") ? given : `${given}/`;
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.search !== "" || parsed.hash !== "") {
    throw new UsageError(
      `The address of the site, "${given}", is no address of a web site. Give one such as https://docs.example/wallet/.`,
    );
  }
  return { url: parsed.href, base: parsed.pathname, isKnown };
}
