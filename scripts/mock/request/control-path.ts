/** No path of the contract begins with this prefix. */
export const controlPath = "/__mock";

export function isControlPath(path: string): boolean {
  return path.startsWith(controlPath) && (path.length === controlPath.length || path[controlPath.length] === "/");
}
