/** The types of the mock's control interface, from `openapi/mock-control.yaml`: the only file of the mock that imports them. */
export type {
  AffectedResource,
  Answers,
  Assume,
  Balances,
  BodyChange,
  Delivery,
  ExchangeLock,
  Expectation,
  ExternalEvents,
  Fault,
  Funds,
  PossibleEvent,
  SeenRequest,
  User,
  UserOptions,
  WaitingFault,
} from "../../../generated/control/types.ts";
