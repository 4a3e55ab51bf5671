interface JunitCase {
  readonly classname: string;
  readonly name: string;
  readonly failure?: { readonly type: string; readonly message: string; readonly text: string } | undefined;
  readonly skipReason?: string | undefined;
  readonly milliseconds?: number;
}

/** The XML that CI servers read. Its elements and their order follow the JUnit schema of Apache Ant. */
export function junitReport(
  { name, packageName }: { name: string; packageName: string },
  cases: readonly JunitCase[],
  {
    milliseconds = 0,
    startedAt = new Date(),
    output = "",
  }: { milliseconds?: number; startedAt?: Date; output?: string } = {},
): string {
  const testCases = cases.map(({ failure, skipReason, milliseconds: duration = 0, classname, name: caseName }) => {
    const startTag = `<testcase${attributes({ classname, name: caseName, time: toSeconds(duration) })}`;
    if (failure === undefined && skipReason === undefined) return `    ${startTag}/>`;
    const { text = "", ...failureAttributes } = failure ?? {};
    const resultElement = failure
      ? `<failure${attributes(failureAttributes)}>${escapeXml(text)}</failure>`
      : `<skipped${attributes({ message: skipReason })}/>`;
    return `    ${startTag}>\n      ${resultElement}\n    </testcase>`;
  });
  const failureCount = cases.filter(({ failure }) => failure !== undefined).length;
  const skippedCount = cases.filter(
    ({ failure, skipReason }) => failure === undefined && skipReason !== undefined,
  ).length;
  const suite = attributes({
    name,
    package: packageName,
    id: 0,
    timestamp: startedAt.toISOString().slice(0, 19),
    hostname: "localhost",
    tests: cases.length,
    failures: failureCount,
    errors: 0,
    skipped: skippedCount,
    time: toSeconds(milliseconds),
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>',
    `  <testsuite${suite}>\n    <properties/>`,
    ...testCases,
    `    <system-out>${escapeXml(output)}</system-out>\n    <system-err/>\n  </testsuite>\n</testsuites>`,
  ].join("\n");
}

const toSeconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);

function attributes(values: object): string {
  const texts = Object.entries(values).map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`);
  return texts.join("").replaceAll("\n", "&#10;");
}

function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML does not allow
  const allowedText = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, "");
  return allowedText.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
