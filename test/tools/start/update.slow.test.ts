import { expect, it } from "vitest";
import { Sources } from "../../../scripts/contract/sources/index.ts";
import { Updater } from "../../../scripts/tools/start/update.ts";

it("an update that is superseded while the mock's plan is made runs none of the slower steps", async () => {
  const signals: AbortSignal[] = [];
  const lines: string[] = [];
  const updater: Updater = new Updater({
    sources: new Sources(),
    docs: { show() {}, complete: async (signal) => void signals.push(signal) },
    useInMock: () => updater.supersede(),
    mustLint: false,
    print: (text) => void lines.push(text.replace(/ \(.*/s, "")),
  });
  await updater.run();
  expect(lines).toEqual(["✓ docs: the pages show the change", "✓ mock: answers by the change"]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
