import type { EditableField, PageCall } from "../../../samples/page-call.ts";
import { reportChange } from "../choices.ts";
import { withReaderValues } from "./reader-values.ts";

/** A sample on the page, and its call as the reader has edited it. */
export class Sample {
  readonly element: HTMLElement;
  #editedCall: PageCall | undefined;
  #problem: string | undefined;

  constructor(element: HTMLElement) {
    this.element = element;
  }

  /** The call with placeholders for address and key. */
  get originalCall(): PageCall {
    return readData<PageCall>(this.element.dataset.call);
  }

  /** The call with the reader's edits, address and key. */
  get call(): PageCall {
    return JSON.parse(withReaderValues(JSON.stringify(this.#editedCall ?? this.originalCall)));
  }

  /** The parameters and body fields of the operation that the reader can edit. */
  get fields(): EditableField[] {
    return readData<EditableField[]>(this.element.closest<HTMLElement>(".samples")?.dataset.fields ?? "[]");
  }

  get isEdited(): boolean {
    return this.#editedCall !== undefined;
  }

  /** Undefined if the edited call can be sent. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** @param edited the edited call, or the reason why it cannot be sent. Then the call stays as it was. */
  edit(edited: PageCall | string): void {
    this.#problem = typeof edited === "string" ? edited : undefined;
    if (typeof edited !== "string") {
      this.#editedCall = edited;
      // The style sheet then hides the snippets of the page, which show the original call.
      this.element.dataset.edited = "";
    }
    reportChange();
  }
}

/** The generator of the site wrote the data into an attribute of the page. */
function readData<Data>(text = "{}"): Data {
  return JSON.parse(text);
}
