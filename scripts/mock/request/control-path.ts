/** Distinguishes requests of the control interface from those of the contract. */

/** The path prefix of the control interface; no path of the contract has it. */
export const controlPath = "/__mock";

/** Whether a path belongs to the control interface. */
export function isControlPath(path: string): boolean {
  return path.startsWith(controlPath) && (path.length === controlPath.length || path[controlPath.length] === "/");
}
