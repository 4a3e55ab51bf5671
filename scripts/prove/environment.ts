/** The environment variables of the program. */

/** The variable that allows the program to shorten its pauses. */
export const shortPauses = { PROVE: "1" } as const;
/** The remark in the report when {@link shortPauses} was set. */
export const shortPausesRemark =
  "PARTNER_WALLET_PROVE=1 was set: pauses that the program shortens for it are longer in production.";

/** The environment of this process with only the given PARTNER_WALLET_ variables. @param own variables without this prefix. */
export function programEnv(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^PARTNER_WALLET_/i.test(name));
  const named = Object.entries(own).map(([name, value]) => [`PARTNER_WALLET_${name}`, value]);
  return Object.fromEntries([...others, ...named]);
}
