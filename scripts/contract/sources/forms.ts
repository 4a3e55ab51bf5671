/** The forms of the files beside the OpenAPI document, for their readers, lint and editors. */
import { join } from "node:path";
import { readYaml } from "./read-yaml.ts";

const forms = new Map<string, object>();

export type FormName = "extensions" | "open-questions" | "probes" | "resources" | "scenario";

/** Reads each schema when it is first used. */
export function formOf(name: FormName): object {
  const form =
    forms.get(name) ?? readYaml<object>(join(import.meta.dirname, `../schemas/${name}.schema.yaml`), "The schema");
  forms.set(name, form);
  return form;
}
