/** What the terminal shows of a mock that has started. */
import { expect, it } from "vitest";
import { type BannerFacts, bannerOf } from "../../scripts/mock/command/banner.ts";
import { loadPlan } from "../../scripts/plan/index.ts";

const facts: Omit<BannerFacts, "plan"> = {
  ...{ edition: "test", url: "http://127.0.0.1:4010", depositUrl: "http://127.0.0.1:4011", seconds: 0.5 },
  ...{ isStateless: false, isEmpty: true, keys: undefined, webhooks: undefined },
};

it("tries any key where every one is accepted, and otherwise a variable of the shell that stands for one", async () => {
  const plan = await loadPlan();
  expect(bannerOf({ ...facts, plan })).toContain("-H 'x-api-key: any-key'");
  const banner = bannerOf({ ...facts, plan, keys: 2 });
  expect(banner).not.toContain("any-key");
  expect(banner).toContain('-H "x-api-key: $KEY"');
  expect(banner).toContain("Keys that are accepted: 2, of which KEY stands for one;");
});
