/** What the pages of the site may load and run: their Content-Security-Policy. */

/**
 * The policy of every page. A page carries it as a `meta` element, so that it also holds where another
 * server sends the page. `wasm-unsafe-eval` is for the search, which is WebAssembly.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
