import { createHash } from "node:crypto";

/** Computes digests at once during the work: in another thread, each takes more processor time than the digest itself. */
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
