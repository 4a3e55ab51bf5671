/** What the terminal shows of a mock that has started, and that nothing printed can control it. */
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { type BannerFacts, bannerOf } from "../../scripts/mock/command/banner.ts";
import { linePrinter } from "../../scripts/mock/command/output.ts";
import { loadPlan } from "../../scripts/plan/index.ts";

const facts: Omit<BannerFacts, "plan"> = {
  ...{ edition: "test", url: "http://127.0.0.1:4010", depositUrl: "http://127.0.0.1:4011", seconds: 0.5 },
  ...{ isStateless: false, keys: undefined, webhooks: undefined },
};

it("tries any key where every one is accepted, and otherwise a variable of the shell that stands for one", async () => {
  const plan = await loadPlan();
  expect(bannerOf({ ...facts, plan })).toContain("-H 'x-api-key: any-key'");
  const banner = bannerOf({ ...facts, plan, keys: 2 });
  expect(banner).not.toContain("any-key");
  expect(banner).toContain('-H "x-api-key: $KEY"');
  expect(banner).toContain("Keys that are accepted: 2, of which KEY stands for one;");
});

it("escapes what would control the terminal in every line that is printed", async () => {
  const stream = new PassThrough();
  const print = linePrinter(stream);
  print("GET /v1/\x1b[2J\x9b31m\r\n\x7f → 404 \u202e ü");
  await new Promise((resolve) => setImmediate(resolve));
  expect(String(stream.read())).toBe("GET /v1/\\u001b[2J\\u009b31m\\u000d\\u000a\\u007f → 404 \\u202e ü\n");
});
