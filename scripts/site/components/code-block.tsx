import { highlight } from "../text/highlight.ts";

interface Props {
  code: string;
  language: string;
  label?: string | undefined;
}

/** The page's script adds the copy button, and makes a block focusable by keyboard while its content overflows. */
export function CodeBlock({ code, language, label }: Props) {
  return (
    <figure class="code" data-language={language}>
      {label !== undefined && <figcaption>{label}</figcaption>}
      <pre>
        {/* highlight.js escapes the text. */}
        <code dangerouslySetInnerHTML={{ __html: highlight(code.replace(/\n$/, ""), language) }} />
      </pre>
    </figure>
  );
}

export function BodyBlock({
  value,
  mediaType,
  label,
}: {
  value: unknown;
  mediaType?: string | undefined;
  label?: string;
}) {
  if (typeof value !== "string")
    return <CodeBlock label={label} code={JSON.stringify(value, null, 2)} language="json" />;
  return <CodeBlock label={label} code={value} language={mediaType === "text/html" ? "xml" : "text"} />;
}
