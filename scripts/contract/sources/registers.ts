import type { Conditions, OpenQuestions, SourceLocation } from "../model/index.ts";
import { formOf } from "./forms.ts";
import { valueOfForm } from "./value-of-form.ts";

export function readQuestions(location: SourceLocation): OpenQuestions {
  return valueOfForm(location, formOf("open-questions"));
}

export type Extensions = Record<string, { published?: true; conditions?: Conditions }>;

export function readExtensions(location: SourceLocation): Extensions {
  return valueOfForm(location, formOf("extensions"));
}
