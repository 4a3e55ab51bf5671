/** The exports of the journal. */
export { JournalError } from "./journal.ts";
