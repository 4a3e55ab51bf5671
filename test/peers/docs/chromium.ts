import { type Browser, chromium } from "playwright-core";
import { chromiumArguments } from "../../../scripts/tools/verify/chromium.ts";

export { findChromium } from "../../../scripts/tools/verify/chromium.ts";

/** Starts a browser that reaches only 127.0.0.1, and sends only the requests of pages. */
export function launchChromium(executablePath: string | undefined, args: readonly string[] = []): Promise<Browser> {
  if (executablePath === undefined) throw new Error("There is no Chromium. Install it, or set CHROMIUM_PATH.");
  return chromium.launch({ executablePath, args: [...chromiumArguments, ...args] });
}
