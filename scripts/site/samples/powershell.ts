/** A sample for PowerShell 7 and Windows PowerShell 5.1. The latter has no `-Form` and no `-SkipHttpErrorCheck`. */
import { boundary, textOf, timeoutSeconds } from "./call-body.ts";
import type { PageCall } from "./page-call.ts";

/** A literal without substitutions. Typographic single quotes are doubled too, because PowerShell also ends the literal at them. */
export function quoteForPowerShell(text: string): string {
  return `'${text.replace(/['‘’‚‛]/g, "$&$&")}'`;
}

/**
 * JSON as a here-string (`@'` to `'@`), or as a quoted literal if one of its lines begins with `'@`. Characters outside ASCII are escaped,
 * because Windows PowerShell would send them as Latin-1.
 */
function jsonLiteral(json: string): string {
  const asciiOf = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const text = json.replace(/[^\x20-\x7e\n]/g, asciiOf);
  return /^'@/m.test(text) ? quoteForPowerShell(text) : `@'\n${text}\n'@`;
}

export function powershell(call: PageCall): string {
  const { method, url, headers, json, files } = call;
  const { "content-type": type, ...otherHeaders } = headers;
  const hashtableEntries = (values: Record<string, string>) =>
    Object.entries(values).map(([name, value]) => `${quoteForPowerShell(name)} = ${quoteForPowerShell(value)}`);
  const forms = (files ?? []).map(
    ({ part, name, type: fileType }) => `@{ ${hashtableEntries({ part, name, type: fileType }).join("; ")} }`,
  );
  const form = `$latin = [Text.Encoding]::GetEncoding('iso-8859-1')
$form = ''
foreach ($file in ${forms.join(", ")}) {
  $form += "--${boundary}\`r\`nContent-Disposition: form-data; name=\`"$($file.part)\`"; filename=\`"$($file.name)\`"\`r\`n"
  $bytes = [IO.File]::ReadAllBytes((Resolve-Path $file.name).Path)
  $form += "Content-Type: $($file.type)\`r\`n\`r\`n" + $latin.GetString($bytes) + "\`r\`n"
}
$form += "--${boundary}--\`r\`n"

`;
  const body = files ? "$latin.GetBytes($form)" : json === undefined ? undefined : jsonLiteral(textOf(call));
  const contentType = files ? `multipart/form-data; boundary=${boundary}` : type;
  const contentTypeLine = contentType === undefined ? "" : `  ContentType = ${quoteForPowerShell(contentType)}\n`;
  const bodyLine = body === undefined ? "" : `  Body = ${body}\n`;
  return `# PowerShell 7 or Windows PowerShell 5.1
${files ? form : ""}$call = @{
  Method = '${method}'
  Uri = ${quoteForPowerShell(url)}
  Headers = @{ ${hashtableEntries(otherHeaders).join("; ")} }
${contentTypeLine}${bodyLine}  TimeoutSec = ${timeoutSeconds}
  UseBasicParsing = $true
}
try {
  $response = Invoke-WebRequest @call
  [int]$response.StatusCode, $response.Content
} catch {
  # A status of 400 or more is an exception, which has no response where nothing came back.
  if ($null -eq $_.Exception.Response) { throw }
  [int]$_.Exception.Response.StatusCode, $_.ErrorDetails.Message
}`;
}
