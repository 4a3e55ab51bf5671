/** The part of openapi-to-postmanv2 that this project uses; the types of the package leave out what a collection is. */
declare module "openapi-to-postmanv2" {
  export interface PostmanPair {
    key: string;
    value: string;
    description?: unknown;
    disabled?: boolean;
  }
  export interface PostmanBody {
    mode: string;
    raw?: string;
  }
  export interface PostmanRequest {
    name: string;
    method: string;
    url: { host: string[]; path: string[]; query: PostmanPair[]; variable: PostmanPair[] };
    header: PostmanPair[];
    body?: PostmanBody;
  }
  export interface PostmanItem {
    name: string;
    request: PostmanRequest;
    response: { originalRequest: PostmanRequest }[];
  }
  export interface PostmanFolder {
    name: string;
    item: (PostmanFolder | PostmanItem)[];
  }
  export interface PostmanCollection extends PostmanFolder {
    info: { name: string };
    variable: PostmanPair[];
    auth: { type: string; apikey: PostmanPair[] };
  }
  export interface Conversion {
    result: boolean;
    reason?: string;
    output?: { type: string; data: PostmanCollection }[];
  }
  export function convertV2(
    input: { type: "json"; data: object },
    options: object,
    callback: (error: Error | null, result: Conversion) => void,
  ): void;
  const api: { convertV2: typeof convertV2 };
  export default api;
}
