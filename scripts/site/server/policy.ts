/** Each page contains the policy in a `meta` element, so it applies on any server. Samples may call this computer and https addresses. */
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
