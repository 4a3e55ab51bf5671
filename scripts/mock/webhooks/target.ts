import { didYouMean } from "../../base/index.ts";
import { ControlError } from "../checks/error.ts";
import { readObject } from "../checks/fields.ts";
import type { Plan } from "../plan/plan.ts";

interface TargetOptions {
  /** The value of the `Authorization` header, or the key of an assumed signature. When left out, neither is sent. */
  readonly token?: string | undefined;
  /** The paths that differ from the contract, by the name of the webhook. */
  readonly paths?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The path of a webhook is appended to the path of the URL. */
export interface UrlTarget extends TargetOptions {
  readonly url: string | URL;
  readonly handler?: undefined;
  readonly basePath?: undefined;
}

/** A receiver in this process, such as the result of `createWebhookHandler`. */
export interface HandlerTarget extends TargetOptions {
  readonly handler: (request: Request) => Response | Promise<Response>;
  /** The `basePath` option of the handler, such as "/hooks". Default: empty. */
  readonly basePath?: string | undefined;
  readonly url?: undefined;
}

export type Target = UrlTarget | HandlerTarget;

export function addressOf(target: Target, path: string): URL {
  const address = new URL(target.url ?? `http://localhost${target.basePath ?? ""}`);
  // The credentials are removed, because `http.request` would send them in an Authorization header.
  address.username = "";
  address.password = "";
  address.hash = "";
  address.pathname = `${address.pathname.replace(/(?<!\/)\/+$/, "")}${path}`;
  return address;
}

/** Error messages contain neither the URL, which may contain a password, nor the token. */
export function checkTarget(target: unknown, plan?: Pick<Plan, "webhooks">): asserts target is Target {
  const members = ["url", "handler", "basePath", "token", "paths"];
  const { url, handler, basePath, token, paths = {} } = readObject(target, "webhooks", members);
  if (handler !== undefined) {
    if (url !== undefined) throw new ControlError("webhooks: give url or handler, not both.");
    if (typeof handler !== "function") throw new ControlError("The handler of webhooks must be a function.");
  } else if (url === undefined) throw new ControlError("webhooks: give url or handler.");
  else if (!URL.canParse(String(url)) || !/^https?:$/.test(new URL(String(url)).protocol)) {
    throw new ControlError('The address of webhooks must be a URL such as "http://127.0.0.1:3000/hooks".');
  }
  if (basePath !== undefined) {
    if (handler === undefined)
      throw new ControlError("webhooks: a url has its own path; basePath belongs to a handler.");
    checkPath(basePath, "webhooks.basePath");
  }
  if (
    token !== undefined &&
    !/^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(typeof token === "string" ? token : "")
  ) {
    throw new ControlError(
      "The token of webhooks must be printable ASCII without blanks around it: no header can hold another.",
    );
  }
  const names = plan?.webhooks.map(({ name }) => name);
  for (const [name, path] of Object.entries(readObject(paths, "webhooks.paths"))) {
    if (names?.includes(name) === false) {
      throw new ControlError(`There is no webhook ${name}.${didYouMean(name, names)} Webhooks: ${names.join(", ")}.`);
    }
    if (path !== undefined) checkPath(path, `The path of ${name}`);
  }
}

function checkPath(path: unknown, subject: string): void {
  const url = `http://localhost${path}`;
  if (!URL.canParse(url) || new URL(url).pathname !== path)
    throw new ControlError(`${subject} must be the path of a URL, such as "/my/path".`);
}
