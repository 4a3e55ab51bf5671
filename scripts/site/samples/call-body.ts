import { visitTokens } from "../../client/src/reading/index.ts";
import type { PageCall, SampleFile } from "./page-call.ts";

export const timeoutSeconds = 30;

/** Separates the parts of the multipart forms that samples write themselves. */
export const boundary = "boundary-of-this-form";

export function textOf({ text, json }: Pick<PageCall, "text" | "json">): string {
  return text ?? JSON.stringify(json, null, 2);
}

/** Whether parsing would rewrite a number of the edited body, such as 125.50. */
export function losesDigits({ text = "" }: PageCall): boolean {
  let isLost = false;
  visitTokens(text, (firstCharacter, start, end) => {
    const token = text.slice(start, end);
    isLost = /[-\d]/.test(firstCharacter) && String(Number(token)) !== token;
    return isLost;
  });
  return isLost;
}

export function listOf({ files = [] }: PageCall, show: (file: SampleFile) => string): string {
  return files.map(show).join(", ");
}
