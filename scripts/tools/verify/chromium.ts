/** Finds the browser that checks and tests open pages in. */
import { accessSync, constants } from "node:fs";

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

/** Arguments of its command line with which it reaches no host but 127.0.0.1 and makes no requests of its own. */
export const chromiumArguments: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];
