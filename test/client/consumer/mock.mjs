import * as client from "partner-wallet-api";
import * as mocks from "partner-wallet-api/mock";
import { useMock } from "./mock.cjs";

await useMock(mocks, client);
