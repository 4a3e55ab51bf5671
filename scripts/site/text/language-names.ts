/** The keys are the values that the browser stores. */
export const languageNames: Readonly<Record<string, string>> = {
  curl: "curl",
  powershell: "PowerShell",
  typescript: "TypeScript client",
  javascript: "JavaScript, fetch",
  python: "Python",
  php: "PHP",
  java: "Java",
  go: "Go",
  csharp: "C#",
  ruby: "Ruby",
};
