/** The data of a sample's call embedded in a page, for the script that generates other languages. */

/** A file of an upload; the mock checks only its name and type. */
export interface SampleFile {
  part: string;
  /** Whether the part can hold several files. */
  isList: boolean;
  name: string;
  type: string;
  content: string;
}

/** An HTTP call as embedded in a page. */
export interface PageCall {
  /** The method in upper case. */
  method: string;
  url: string;
  headers: Record<string, string>;
  /** The JSON body; absent where none is sent. */
  json?: unknown;
  /** The files of a form. */
  files?: SampleFile[] | undefined;
}
