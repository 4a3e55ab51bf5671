/** The data of a sample's call that a page contains. The page's script sends the call and generates other languages from it. */

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
  headers: Record<string, string>;
  json?: unknown;
  files?: SampleFile[] | undefined;
}
