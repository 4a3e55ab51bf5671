/** Texts in XML. */

/** A text as it may stand in an element or an attribute of XML. */
export function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(/[^\t\n\r\u0020-\uFFFD]/g, "");
}
