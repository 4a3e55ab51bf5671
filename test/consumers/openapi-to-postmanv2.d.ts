/** The part of openapi-to-postmanv2 that the tests use; the package has no types. */
declare module "openapi-to-postmanv2" {
  export interface Conversion {
    result: boolean;
    reason?: string;
    output?: { type: string; data: { name: string; item: [] } }[];
  }
  export function convertV2(
    input: { type: "json"; data: object },
    options: object,
    callback: (error: Error | null, result: Conversion) => void,
  ): void;
  const api: { convertV2: typeof convertV2 };
  export default api;
}
