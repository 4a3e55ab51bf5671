import { createHash } from "node:crypto";

/** Computes digests in this thread. Passing data to another thread takes more processor time than a digest. */
export async function withDigestsAtOnce<Result>(work: () => Promise<Result>): Promise<Result> {
  const { digest } = crypto.subtle;
  crypto.subtle.digest = async (_algorithm, data) => {
    const bytes = createHash("sha256")
      .update(data as Uint8Array)
      .digest();
    return Uint8Array.from(bytes).buffer;
  };
  try {
    return await work();
  } finally {
    crypto.subtle.digest = digest;
  }
}
