/** A page contains this data. Its script sends the call and generates other languages from it. */

export interface SampleFile {
  part: string;
  isList: boolean;
  name: string;
  type: string;
  content: string;
}

export interface PageCall {
  /** In upper case. */
  method: string;
  url: string;
  /** The path with the names of its parameters, for example `/v1/users/{externalUserId}`. */
  template?: string | undefined;
  headers: Record<string, string>;
  json?: unknown;
  /** The JSON body as the reader edited it, which keeps the digits of its numbers; undefined if the body is not edited. */
  text?: string | undefined;
  files?: SampleFile[] | undefined;
}

export interface EditableField {
  place: "path" | "query" | "body";
  /** For a member of a nested object: the names from the outermost to the innermost, separated by dots. */
  name: string;
  /** The type in words, which are shown: `string (date) or null`. */
  type: string;
  /** The types of JSON Schema that the contract accepts; empty if it accepts any. */
  jsonTypes: readonly string[];
  format?: string;
  isRequired?: true;
  /** The known values. Other values are possible. Absent if the contract names none, or too many for the page. */
  values?: string[];
  /** The regular expression that a string value must match. */
  pattern?: string;
}
