/** What an environment is that the packed package is tried in. */

/** A place where partners use the package, or a tool that judges it. */
export interface Environment {
  /** What its line of the output is called. */
  readonly name: string;
  /** Packages with their exact versions, installed beside the packed package. */
  readonly packages: readonly string[];
  /**
   * Tries the package there.
   *
   * @returns a few words on what was done.
   * @throws when anything is not as it should be.
   */
  readonly check: (place: Place) => Promise<string>;
}

/** What an environment is given. */
export interface Place {
  /** Folder of a project that has the consumers of `test/consumer`, the package and the environment's packages. */
  readonly project: string;
  /** The packed package. */
  readonly tarball: string;
  /** Environment variables: MAIN_URL and DEPOSIT_URL of the mock, and whatever keeps tools from calling home. */
  readonly env: NodeJS.ProcessEnv;
}
