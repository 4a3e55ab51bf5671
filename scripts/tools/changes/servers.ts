interface Server {
  readonly url: string;
  readonly description?: string;
  readonly variables?: Readonly<Record<string, { readonly default: string }>>;
}

/** The name of a server (its description up to the first full stop or comma), and its URL with the default values of variables. */
export interface ServerAddress {
  readonly name: string;
  readonly url: string;
}

/** @param servers Server Objects (OpenAPI 3.1, section 4.8.5). */
export function serverAddresses(servers: readonly Server[] = []): ServerAddress[] {
  return servers.map(({ url, description = "", variables = {} }) => ({
    name: (description.split(/[.,]/)[0] as string).trim(),
    url: url.replace(/\{([^}]+)\}/g, (placeholder, name: string) => variables[name]?.default ?? placeholder),
  }));
}
