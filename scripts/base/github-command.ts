/** A workflow command of GitHub Actions, which shows the message at a line of a pull request. */
export function githubCommand(
  level: "error" | "warning" | "notice",
  annotation: { file: string; line: number; col?: number; title: string },
  message: string,
): string {
  const properties = Object.entries(annotation).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${level} ${properties.join(",")}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
