/** Finds and starts the browser that checks and tests open pages in. */
import { accessSync, constants } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const usualPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Path of a Chromium on this machine: the one that CHROMIUM_PATH names, or the first of the usual ones that is there. */
export function findChromium(): string | undefined {
  const paths = process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : usualPaths;
  return paths.find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a browser that reaches no host but 127.0.0.1 and makes no requests of its own.
 *
 * @param executablePath as {@link findChromium} returns it.
 * @param args further arguments of its command line.
 * @throws {Error} when there is no Chromium, or it cannot be started.
 */
export function launchChromium(executablePath: string | undefined, args: readonly string[] = []): Promise<Browser> {
  if (executablePath === undefined) throw new Error("There is no Chromium. Install it, or set CHROMIUM_PATH.");
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      ...args,
    ],
  });
}
