import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";

export async function withTakenPort<Result>(use: (port: number) => Promise<Result>): Promise<Result> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

/** Does not use `fetch`, which could reuse an open connection. */
export async function refusingUrls(urls: string[]): Promise<string[]> {
  const attempts = urls.map(async (url) => ((await refusesConnections(new URL(url))) ? [url] : []));
  return (await Promise.all(attempts)).flat();
}

function refusesConnections({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "ECONNREFUSED"));
  });
}
