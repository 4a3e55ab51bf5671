/** Ports of this machine. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Keeps a port in use while a function runs. */
export async function withTakenPort<Result>(use: (port: number) => Promise<Result>): Promise<Result> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

/** The URLs of which the port refuses connections. */
export async function refusing(urls: string[]): Promise<string[]> {
  const tried = urls.map((url) =>
    fetch(url).then(
      () => [],
      (error: Error) => ((error.cause as NodeJS.ErrnoException).code === "ECONNREFUSED" ? [url] : []),
    ),
  );
  return (await Promise.all(tried)).flat();
}
