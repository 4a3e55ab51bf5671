export { isLoopback } from "./access.ts";
export { assertPortIsFree, ListenError, type Listening, listen, listenOnBoth, stop } from "./listen.ts";
export {
  deliveryLine,
  entryAsJson,
  exampleCurl,
  formatAttempt,
  formatEntry,
  formatSeen,
  usualKey,
} from "./terminal.ts";
