export function resultOrError<Result>(run: () => Result): Result | Error {
  try {
    return run();
  } catch (error) {
    return error as Error;
  }
}
