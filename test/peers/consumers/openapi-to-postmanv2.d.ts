/** The part of openapi-to-postmanv2 that this project uses; the types of the package leave out what a collection is. */
declare module "openapi-to-postmanv2" {
  /** A folder, or a request. */
  export interface Item {
    name: string;
    request?: object;
    item?: Item[];
  }
  export interface Conversion {
    reason?: string;
    output?: { data: Item }[];
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
