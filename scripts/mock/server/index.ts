export { isLoopback } from "./access.ts";
export {
  assertPortIsFree,
  ListenError,
  type ListeningServers,
  listen,
  listenOnBoth,
  stop,
} from "./listen.ts";
export {
  deliveryLine,
  entryAsJson,
  exampleCurl,
  exampleKey,
  formatAttempt,
  formatEntry,
  formatRequest,
} from "./terminal.ts";
