/** Which requests are for the control interface, and not for the contract. */

/** Where the control interface begins; no path of the contract does. */
export const controlPath = "/__mock";

/** Whether a path is one of the control interface. */
export function isControlPath(path: string): boolean {
  return path.startsWith(controlPath) && (path.length === controlPath.length || path[controlPath.length] === "/");
}
