import { accessSync, constants } from "node:fs";

const defaultPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** `CHROMIUM_PATH` if it is set, otherwise a usual place; undefined if there is no executable file. */
export function findChromium(): string | undefined {
  const paths = process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : defaultPaths;
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

/** The pages of the address bar's list, and a spare process, which cost half of the processor time of a new window. */
const costlyFeatures = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess"];

/** What Playwright disables and can matter for our pages. Repeated here, because Chromium reads only the last list. */
const playwrightFeatures = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

/** Options that let Chromium run in a container, restrict it to 127.0.0.1, and disable its background requests. */
export const chromiumArguments: readonly string[] = [
  `--disable-features=${[...costlyFeatures, ...playwrightFeatures].join()}`,
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];
