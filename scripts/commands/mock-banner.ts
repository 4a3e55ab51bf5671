/** What the terminal shows of a mock that has started. */
import { type OpenApiDocument, readContract } from "../contract/index.ts";
import { exampleCurl, type Mock } from "../mock/index.ts";

/** The addresses, and something to try. */
export function mockBanner(document: OpenApiDocument, { url, depositUrl }: Mock): string {
  return [
    `  main address     ${url}`,
    `  deposit address  ${depositUrl}`,
    `Try: ${exampleCurl(readContract(document), url)}`,
    "Any key is accepted. Choose an answer with the header Prefer: code=…, example=… Stop with Ctrl+C.",
  ].join("\n");
}
