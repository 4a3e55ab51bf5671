/** The exports for other folders: listening on one address or both, and lines for a terminal. */
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
