import { chromium } from "playwright-core";

const [url, executablePath, ...args] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args });
const page = await browser.newPage();
await page.goto(url);
console.log(await page.locator("output:not(:empty)").textContent({ timeout: 20_000 }));
await browser.close();
