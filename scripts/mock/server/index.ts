/** What other rooms use of the server: listening on both addresses, and the lines for a terminal. */
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
