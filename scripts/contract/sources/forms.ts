/** The forms of the files beside the OpenAPI document, for their readers, lint and editors. */
import { join } from "node:path";
import type { Conditions } from "../model/index.ts";
import { readYaml } from "./read-yaml.ts";

const schemaNames = {
  extensions: "extensions",
  openQuestions: "open-questions",
  probes: "probes",
  resources: "resources",
  scenario: "scenario",
} as const;
export type FormName = keyof typeof schemaNames;
export const formNames = Object.keys(schemaNames) as FormName[];

/** An entry is null in a file that lint has yet to report. */
export type Extensions = Record<string, { published?: true; conditions?: Conditions } | null>;

const forms = new Map<FormName, object>();

/** Reads each schema when it is first used. */
export function formOf(name: FormName): object {
  const file = join(import.meta.dirname, `../schemas/${schemaNames[name]}.schema.yaml`);
  const form = forms.get(name) ?? readYaml<object>(file, "The schema");
  forms.set(name, form);
  return form;
}
