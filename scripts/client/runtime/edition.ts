/** The editions of the contract. An edition selects operations. */

/** Their names; the first is the default. */
export const editions = ["latest", "test"] as const;

/** `latest`, or `test`, which has the proposed operations as well. */
export type Edition = (typeof editions)[number];
