/** Loaded only when a member of a payment is malformed. */

/** `?` marks an optional member. */
export type MemberForm = "text" | "text?" | "amount" | "currency" | "party" | "receiver?";

const formTexts: Readonly<Record<MemberForm, string>> = {
  text: "a text of 1 to 300 characters.",
  "text?": "a text of 1 to 300 characters.",
  amount: `a decimal string greater than zero, such as "10.00".`,
  currency: "a code such as eur.",
  party: `"partner" or { user: externalUserId }.`,
  "receiver?": "{ firstName, lastName } or { company }.",
};

/** What a member must be. For a text, with the type of the value, but never with the value. */
export function formText(form: MemberForm, value: unknown): string {
  const text = formTexts[form];
  return form.startsWith("text") ? `${text} Got ${value === "" ? "none" : typeof value}.` : text;
}
