/** The exports of the server: listening on one or both addresses, and lines for a terminal. */
export { ListenError, type Listening, listen, listenOnBoth, stop } from "./listen.ts";
export {
  deliveryLine,
  entryAsJson,
  exampleCurl,
  formatAttempt,
  formatEntry,
  formatSeen,
  usualKey,
} from "./terminal.ts";
