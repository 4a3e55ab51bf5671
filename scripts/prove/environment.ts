/** The environment variables of the program. */

/** The environment of the program: that of this process, without other settings of a service. */
export function programEnv(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^PARTNER_WALLET_/i.test(name));
  const named = Object.entries({ ...own, PROVE: "1" }).map(([name, value]) => [`PARTNER_WALLET_${name}`, value]);
  return Object.fromEntries([...others, ...named]);
}
