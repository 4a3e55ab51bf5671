/** The functions of Node that the file store uses. Declared here, because a partner's program may not have Node's types. */

export interface FileHandle {
  appendFile(data: string): Promise<void>;
  datasync(): Promise<void>;
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

interface FilePromises {
  open(path: string, flags: string, mode?: number): Promise<FileHandle>;
  readFile(path: string): Promise<Uint8Array>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  writeFile(path: string, text: string, options: { flag: string; mode: number }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  realpath(path: string): Promise<string>;
  readlink(path: string): Promise<string>;
}

interface Socket {
  once(event: "connect", listener: () => void): this;
  once(event: "error", listener: (error: unknown) => void): this;
  destroy(): void;
}

interface Server {
  once(event: "error" | "listening", listener: (error?: unknown) => void): this;
  listen(path: string): this;
  unref(): this;
  close(): this;
}

interface Node {
  readonly pid: number;
  kill(pid: number, signal: 0): true;
  getBuiltinModule(name: "node:fs/promises"): FilePromises;
  getBuiltinModule(name: "node:path"): { dirname(path: string): string; join(...parts: string[]): string };
  getBuiltinModule(name: "node:net"): {
    createServer(listener: (socket: Socket) => void): Server;
    connect(path: string): Socket;
  };
}

export function node(): Node {
  const { process } = globalThis as { process?: Partial<Node> };
  if (typeof process?.getBuiltinModule === "function") return process as Node;
  throw new TypeError("createFileStore needs Node 20.16 or later. Give another store, such as createPostgresStore.");
}

export function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}
