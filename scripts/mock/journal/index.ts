export { JournalError } from "./journal.ts";
