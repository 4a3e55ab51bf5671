import { codeProperty, isCode } from "../../contract/index.ts";
import { readSchema, violationsOf } from "../form-schemas.ts";
import { checkFits, type Rule } from "../rule.ts";

const form = readSchema("error");

export const codeFile: Rule = {
  name: "code-file",
  states:
    "An error file has the form that `schemas/error.schema.json` describes, and its name, its constant and the start of its title are the same P-code.",
  why: "The name of the file becomes the name of the schema in the bundle, the types and the docs.",
  wrong: `
# openapi/errors/P411.yaml
title: User exists
properties:
  errorCode:
    const: P410`,
  right: `
# openapi/errors/P411.yaml
title: P411 User exists
properties:
  errorCode:
    const: P411`,
  judge({ catalogue }, check) {
    for (const file of catalogue) {
      const violations = violationsOf(form, file);
      const remedy = "Follow the other files of the folder; CONTRIBUTING.md shows examples";
      checkFits(check, file, violations, "This is not the form of an error file", remedy);
      if (violations.length > 0) continue;
      const code = file.name;
      check(
        isCode(code),
        file,
        `${code}.yaml is not named after a P-code`,
        "Name it after its code, P and three digits",
      );
      if (!isCode(code)) continue;
      const constant = file.at("properties", codeProperty, "const");
      const title = file.at("title");
      check(
        constant.value === code,
        constant,
        `The file is named ${code} but holds ${constant.value}`,
        "Give both the same code",
      );
      check(
        String(title.value).startsWith(`${code} `),
        title,
        `The title does not start with ${code}`,
        "Start it with the code, followed by the meaning",
      );
    }
  },
};
