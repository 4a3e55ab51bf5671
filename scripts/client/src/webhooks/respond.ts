/** Maximum bytes of a refused body that are read to keep the connection open. Equals the default of `maxBytes`. */
const maxDiscardedBytes = 1024 * 1024;

/** Whether the connection is closed after a refusal, because the rest of the body is long or of unknown length. */
export function mustCloseConnection(header: (name: string) => unknown): boolean {
  return (
    (header("transfer-encoding") ?? undefined) !== undefined ||
    Number(header("content-length") ?? 0) > maxDiscardedBytes
  );
}

export function respond(status: number, message?: string, headers: Record<string, string> = {}): Response {
  return Response.json(message === undefined ? {} : { message }, { status, headers });
}
