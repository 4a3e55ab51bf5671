/** The exports for other rooms: listening on both addresses, and lines for a terminal. */
export { ListenError, type Listening, listenOnBoth } from "./listen.ts";
export {
  deliveryLine,
  entryAsJson,
  exampleCurl,
  formatAttempt,
  formatEntry,
  formatSeen,
  usualKey,
} from "./terminal.ts";
