/** The call of a sample as a page carries it to the script that writes it in other languages. */

/** A file of an upload; the mock asks for its name and type only. */
export interface SampleFile {
  part: string;
  /** Whether the part can hold several files. */
  isList: boolean;
  name: string;
  type: string;
  content: string;
}

/** A call over HTTP, in the form in which a page carries it. */
export interface PageCall {
  /** In upper case. */
  method: string;
  url: string;
  headers: Record<string, string>;
  /** The JSON body; absent where none is sent. */
  json?: unknown;
  /** The files of a form. */
  files?: SampleFile[] | undefined;
}
