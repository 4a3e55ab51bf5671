/** The data of a sample's call that a page contains. The page's script sends the call and generates other languages from it. */

/** A file of an upload; the mock checks only its name and type. */
export interface SampleFile {
  part: string;
  /** Whether the part can hold several files. */
  isList: boolean;
  name: string;
  type: string;
  content: string;
}

export interface PageCall {
  /** In upper case. */
  method: string;
  url: string;
  headers: Record<string, string>;
  /** The JSON body; absent if the call has no JSON body. */
  json?: unknown;
  files?: SampleFile[] | undefined;
}
