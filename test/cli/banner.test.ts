import { PassThrough, Writable } from "node:stream";
import { expect, it } from "vitest";
import { linePrinter } from "../../scripts/cli/kit/output.ts";
import { type BannerFacts, bannerOf } from "../../scripts/cli/package/banner.ts";
import { plan } from "../support/plan.ts";

const facts: Omit<BannerFacts, "plan"> = {
  edition: "test",
  url: "http://127.0.0.1:4010",
  depositUrl: "http://127.0.0.1:4011",
  seconds: 0.5,
  isStateless: false,
  keyCount: undefined,
  webhookOrigin: undefined,
};

it("shows any key where every key is accepted, and otherwise a shell variable for the key", async () => {
  expect(bannerOf({ ...facts, plan })).toContain("-H 'x-api-key: any-key-will-do-for-the-mock'");
  expect(bannerOf({ ...facts, plan })).not.toContain("webhooks to");
  expect(bannerOf({ ...facts, plan, webhookOrigin: "http://127.0.0.1:3000" })).toContain("http://127.0.0.1:3000");
  const banner = bannerOf({ ...facts, plan, keyCount: 2 });
  expect(banner).not.toContain("any-key");
  expect(banner).toContain('-H "x-api-key: $KEY"');
  expect(banner).toContain("Accepted keys: 2; replace KEY by one of them;");
});

it("escapes terminal control characters in every printed line", async () => {
  const stream = new PassThrough();
  const print = linePrinter(stream);
  print("GET /v1/\x1b[2J\x9b31m\r\n\x7f → 404 \u202e ü");
  await new Promise((resolve) => setImmediate(resolve));
  expect(String(stream.read())).toBe("GET /v1/\\u001b[2J\\u009b31m\\u000d\\u000a\\u007f → 404 \\u202e ü\n");
});

it("omits excess lines of an output, and counts them", async () => {
  const chunks: string[] = [];
  let readChunk = () => {};
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    chunks.push(String(chunk));
    readChunk = done;
  };
  const print = linePrinter(new Writable({ write }), 10);
  for (const line of ["12345", "67890", "kept", "lost"]) print(line);
  await new Promise((resolve) => setImmediate(resolve));
  print("lost");
  readChunk();
  print("read");
  await new Promise((resolve) => setImmediate(resolve));
  const note = "(1 lines were dropped, because the output was not read)\n";
  expect(chunks).toEqual([`${note}12345\n67890\nkept\n`, `${note}read\n`]);
});
