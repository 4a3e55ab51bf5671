/** The exports of the journal for other folders. */
export { JournalError } from "./journal.ts";
