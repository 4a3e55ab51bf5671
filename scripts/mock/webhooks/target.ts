/** Where webhooks are delivered: a partner's server, or a receiver in this process. */
import { didYouMean } from "../nearest-name.ts";
import type { Plan } from "../plan/plan.ts";

/** What is wrong with a target. */
export class TargetError extends TypeError {
  override readonly name = "TargetError";
}

interface TargetOptions {
  /** Value of the `Authorization` header. Without it, the header is not sent. */
  readonly token?: string | undefined;
  /** Paths by the name of the webhook, where they differ from those of the contract. */
  readonly paths?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The address of a partner's server. The paths of the webhooks are below the path of the URL. */
export interface UrlTarget extends TargetOptions {
  readonly url: string | URL;
  readonly handler?: undefined;
}

/** A receiver in this process, such as the result of `createWebhookHandler`. */
export interface HandlerTarget extends TargetOptions {
  readonly handler: (request: Request) => Response | Promise<Response>;
  readonly url?: undefined;
}

export type Target = UrlTarget | HandlerTarget;

/**
 * The URL that an event is posted to.
 *
 * @param path of the webhook.
 */
export function addressOf(target: Target, path: string): URL {
  const address = new URL(target.url ?? "http://localhost");
  // The credentials of a URL would become another Authorization header.
  address.username = "";
  address.password = "";
  address.hash = "";
  address.pathname = `${withoutSlashes(address.pathname)}${path}`;
  return address;
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

/**
 * Checks what somebody gives as a target.
 *
 * @param plan has the webhooks that there are; without it, their names are not checked.
 * @throws {TargetError} when it has no address, the token cannot stand in a header, or a path is malformed or of no webhook.
 */
export function checkTarget(target: Target, plan?: Pick<Plan, "webhooks">): void {
  if (target.handler === undefined) checkUrl(target.url);
  else if (typeof target.handler !== "function") throw new TargetError("The handler of webhooks must be a function.");
  checkToken(target.token);
  const names = plan?.webhooks.map(({ name }) => name);
  for (const [name, path] of Object.entries(target.paths ?? {})) {
    if (names?.includes(name) === false) {
      throw new TargetError(`There is no webhook ${name}.${didYouMean(name, names)} Webhooks: ${names.join(", ")}.`);
    }
    if (path !== undefined) checkPath(path, name);
  }
}

/** @throws {TargetError} when it is not the path of a URL, as it stands in one. */
function checkPath(path: unknown, webhook: string): void {
  const isPath =
    typeof path === "string" &&
    URL.canParse(`http://localhost${path}`) &&
    path.startsWith("/") &&
    new URL(`http://localhost${path}`).pathname === path;
  if (!isPath) throw new TargetError(`The path of ${webhook} must be the path of a URL, such as "/my/path".`);
}

/** The message does not repeat the URL, which may hold a password. */
function checkUrl(url: unknown): void {
  const text = String(url);
  const isHttp = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isHttp) throw new TargetError('The address of webhooks must be a URL such as "http://127.0.0.1:3000/hooks".');
}

function checkToken(token: unknown): void {
  if (token === undefined || (typeof token === "string" && /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(token)))
    return;
  throw new TargetError(
    "The token of webhooks must be printable ASCII without blanks around it: no header can hold another.",
  );
}
