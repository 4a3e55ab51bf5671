/** What other rooms use of the journal. */
export { JournalError } from "./journal.ts";
