/** The exports of the journal for other rooms. */
export { JournalError } from "./journal.ts";
