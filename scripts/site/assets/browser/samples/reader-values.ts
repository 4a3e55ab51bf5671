/** The reader can replace the addresses and the API key in samples. */
import { localSiteUrl, mockAddresses, sampleKey } from "../../../samples/addresses.ts";
import { storedValue } from "../choices.ts";
import { siteUrl } from "../site-url.ts";

/** The placeholders, by the name under which the reader's value is stored. */
export const placeholders: Record<string, string> = { ...mockAddresses, key: sampleKey };

/** The address of the mock that `npm start` wrote into the page; undefined for the key, and on pages from another server. */
const servedAddress = (name: string): string | undefined => {
  const { baseUrl, depositBaseUrl } = document.documentElement.dataset;
  return name === "base_url" ? baseUrl : name === "deposit_base_url" ? depositBaseUrl : undefined;
};

export function hasPlaceholder(text: string): boolean {
  return [...Object.values(placeholders), localSiteUrl].some((value) => text.includes(value));
}

export function withReaderValues(text: string, isForMock = false): string {
  const values = Object.entries(placeholders).map(([name, value]) => {
    return [value, (!isForMock && storedValue(name)) || servedAddress(name) || value];
  });
  if (location.protocol !== "file:") values.push([localSiteUrl, siteUrl()]);
  const replacements = Object.fromEntries(values);
  // Replaces all placeholders in one pass, because the new value of one can equal another placeholder.
  const patterns = Object.keys(replacements).map((value) => value.replaceAll(".", "\\."));
  return text.replace(new RegExp(patterns.join("|"), "g"), (value) => replacements[value]);
}
