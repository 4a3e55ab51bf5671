/** Starts mocks of a given plan; the published entry point, `scripts/mock/index.ts`, has that of the contract. */
export { type ReplaceableMock, type RunningMock, startMock } from "./mock.ts";
export { checkOptions, type StartMockOptions, startSettings } from "./options.ts";
