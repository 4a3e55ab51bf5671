import { parseYaml } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { editClean, lintTexts } from "./clean-contract.ts";
import { bundlingError, pathsIn, withValue } from "./half-saved.ts";

const texts = editClean({});

it.each([...texts.keys()])(
  "lint and bundling report no JavaScript error for a key of %s without value",
  async (file) => {
    const text = texts.get(file) ?? "";
    const errors: string[] = [];
    for (const path of pathsIn(parseYaml(text))) {
      const changedTexts = editClean({ [file]: withValue(text, path, null) });
      const result = lintTexts(changedTexts);
      const findings = await result.then(
        ({ findings: list }) => list.map(({ rule, message }) => `${rule} ${message}`),
        String,
      );
      const wrongFindings = [findings]
        .flat()
        .filter((finding) => /contract-readable|cannot be evaluated|TypeError/.test(finding));
      const error = await bundlingError(changedTexts);
      if (error !== undefined) errors.push(`${path.join("/")}: ${error}`);
      errors.push(...wrongFindings.map((finding) => `${path.join("/")}: ${finding}`));
    }
    expect(errors).toEqual([]);
  },
  120_000,
);
