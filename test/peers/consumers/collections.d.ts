/** Declares what these tests use of packages that have no types. */
declare module "openapi-to-postmanv2" {
  export interface Conversion {
    reason?: string;
    output?: { data: object }[];
  }
  const api: {
    convertV2(
      input: { type: "json"; data: object },
      options: object,
      callback: (error: Error | null, result: Conversion) => void,
    ): void;
  };
  export default api;
}

declare module "newman" {
  export interface Execution {
    item: { name: string };
    request: { method: string; url: { toString(): string } };
    response?: { code: number; stream: Buffer };
  }
  const api: {
    run(
      options: { collection: object; envVar?: { key: string; value: string }[]; timeoutRequest: number },
      callback: (error: Error | null, summary: { run: { executions: Execution[] } }) => void,
    ): void;
  };
  export default api;
}

declare module "@usebruno/converters" {
  export interface Request {
    name: string;
    request: { url: string };
  }
  export interface Folder {
    items?: (Folder | Request)[];
  }
  export interface Collection extends Folder {
    root: { request: { vars: { req: { name: string; value: string }[] } } };
  }
  export function postmanToBruno(collection: object): Promise<{ collection: Collection }>;
}
