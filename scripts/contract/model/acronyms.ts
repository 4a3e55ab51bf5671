/** Words that titles write in capitals. They are not in openapi/, because they change only the spelling. */
const acronyms = /^(api|cvv|iban|kyc|pin|poa|sepa|utc|uuid|\dds)$/i;

export function capitaliseAcronyms(words: readonly string[]): string {
  return words.map((word) => (acronyms.test(word) ? word.toUpperCase() : word)).join(" ");
}
