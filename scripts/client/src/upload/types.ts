export interface PreparedUpload {
  /** The body with `{ name }` in place of each file, for redaction. */
  readonly names: Readonly<Record<string, unknown>>;
  /** Reads the streams into memory, so that every attempt can send them. When this fails, all streams are cancelled. */
  read(signal: AbortSignal | undefined): Promise<() => FormData>;
}

/**
 * An upload with copies of the names, media types and bytes, so that later changes by the caller have no effect. Streams and `Blob`s are
 * kept by reference.
 */
export interface CapturedUpload {
  names: PreparedUpload["names"] | undefined;
  /** Loads the code for uploads, and checks the files. When it rejects, no stream was read or cancelled. */
  load(): Promise<PreparedUpload>;
}
