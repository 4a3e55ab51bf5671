import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { quoteArgument } from "../../scripts/cli/kit/arguments.ts";

it("quotes arguments so that a shell reads them as they are", () => {
  const backslashes = ["a b\\", "C:\\dir name\\", "C:\\dir name", "a\\\\b c", "name=a\\\\ b", "a\\\nb", "\\"];
  const texts = [...backslashes, "", "plain-1", "a b", "it's", 'x"y', "`a` $b", "!a b", "name=a b", "~", "*"];
  const script = `printf '%s\\0' ${texts.map(quoteArgument).join(" ")}`;
  const printedText = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" });
  expect(printedText.split("\0").slice(0, -1)).toEqual(texts);
});

it("quotes with double quotes, which cmd of Windows knows, unless they change the text", () => {
  const texts = ["a b", "C:\\dir name", "it's", "name=a b", "a b\\", "a!"];
  const quoted = ['"a b"', '"C:\\dir name"', '"it\'s"', 'name="a b"', "'a b\\'", "'a!'"];
  expect(texts.map(quoteArgument)).toEqual(quoted);
});
