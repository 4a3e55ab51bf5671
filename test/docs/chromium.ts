/** Finds and starts the browser of the tests. */
import { accessSync, constants } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const usualPlaces = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Path of a Chromium on this machine: that of CHROMIUM_PATH, or the first that stands in a usual place. */
export function findChromium(): string | undefined {
  const places = process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : usualPlaces;
  return places.find(isExecutable);
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
 * Starts a browser that knows no host but loopback and does nothing of its own accord.
 *
 * @throws {Error} when there is no Chromium.
 */
export function launchChromium(executablePath: string | undefined): Promise<Browser> {
  if (executablePath === undefined) throw new Error("There is no Chromium. Install it, or name it with CHROMIUM_PATH.");
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
    ],
  });
}
