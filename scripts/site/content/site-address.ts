import { UsageError } from "../../base/index.ts";

const defaultSiteUrl = "https://docs.wallet-service.example/";

export interface SiteAddress {
  /** With a slash at the end. */
  url: string;
  /** The path of the address, with a slash at both ends. */
  base: string;
  isKnown: boolean;
}

export function siteAddress(siteUrl: string | undefined): SiteAddress {
  const isKnown = siteUrl !== undefined && siteUrl !== "";
  const address = isKnown ? siteUrl : defaultSiteUrl;
  const text = address.endsWith("/") ? address : `${address}/`;
  const parsedUrl = URL.canParse(text) ? new URL(text) : undefined;
  if (
    parsedUrl === undefined ||
    !/^https?:$/.test(parsedUrl.protocol) ||
    parsedUrl.search !== "" ||
    parsedUrl.hash !== ""
  ) {
    throw new UsageError(
      `The address of the site, "${address}", is no address of a web site. Give one such as https://docs.example/wallet/.`,
    );
  }
  return { url: parsedUrl.href, base: parsedUrl.pathname, isKnown };
}
