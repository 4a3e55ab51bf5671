import { misfitsOf, readSchema } from "../register-schemas.ts";
import { checkFits, type Rule } from "../rule.ts";
import { codeOfFile, codePattern, codeProperty } from "../source-contract.ts";

const form = readSchema("error");

/**
 * A file of the catalogue has the form that `schemas/error.schema.json` states, and its name, its constant and the start
 * of its title are the same P-code.
 *
 * Why: the name of the file becomes the name of the schema in bundle, types and docs.
 */
export const codeFile: Rule = {
  name: "code-file",
  judge({ catalogue }, check) {
    for (const file of catalogue) {
      const misfits = misfitsOf(form, file);
      checkFits(check, file, misfits, "This is not the form of an error file", "Follow the other files of the folder");
      if (misfits.length > 0) continue;
      const code = codeOfFile(file.file);
      check(
        codePattern.test(code),
        file,
        `${code}.yaml is not named after a P-code`,
        "Name it after its code, P and three digits",
      );
      if (!codePattern.test(code)) continue;
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
