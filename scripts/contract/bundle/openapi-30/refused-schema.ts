import { UsageError } from "../../../base/index.ts";

/** A schema that the OpenAPI 3.0 form cannot express. */
export class RefusedSchema extends UsageError {
  /** The position of the schema in the bundle. */
  readonly pointer: string;
  readonly problem: string;
  readonly remedy: string;

  constructor(pointer: string, { problem, remedy }: { problem: string; remedy: string }) {
    const sentence = `${problem}, which the OpenAPI 3.0 form cannot express`;
    super(`${pointer} ${sentence}. ${remedy}.`);
    this.pointer = pointer;
    this.problem = `The schema ${sentence}`;
    this.remedy = remedy;
  }
}
