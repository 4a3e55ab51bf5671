/** What the pages of the site may load and run: their Content-Security-Policy. */

/**
 * The policy of every page. A page carries it as a `meta` element, so that it also holds where another
 * server sends the page. A sample can be sent to this computer and to addresses with TLS.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self' https: http://127.0.0.1:* http://localhost:*",
  "font-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
