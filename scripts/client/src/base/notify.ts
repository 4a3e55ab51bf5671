/** Errors of the hook are ignored, because they must not affect the call. */
export function notify<Args extends readonly unknown[]>(
  hook: ((...args: Args) => unknown) | undefined,
  ...args: Args
): void {
  try {
    Promise.resolve(hook?.(...args)).catch(() => undefined);
  } catch {
    // Ignored, like a rejection.
  }
}
