/** The mocks start from a given plan. The published entry point, `scripts/mock/index.ts`, uses the plan of the contract. */
export { type ReplaceableMock, type RunningMock, startMock } from "./mock.ts";
export { checkOptions, type StartMockOptions, startMockChecks } from "./options.ts";
export { StateFileError } from "./state-file.ts";
