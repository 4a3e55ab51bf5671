/** Code that a reader can copy. */
import { highlight } from "../text/highlight.ts";

interface Props {
  code: string;
  /** Such as `bash`, `typescript`, `json`. */
  language: string;
  /** What stands above it. */
  label?: string | undefined;
}

/**
 * A block of code. The script of the page adds the button that copies it, which does nothing without one, and makes a block
 * that scrolls reachable by the keyboard where the browser does not.
 */
export function CodeBlock({ code, language, label }: Props) {
  return (
    <figure class="code" data-language={language}>
      {label !== undefined && <figcaption>{label}</figcaption>}
      <pre>
        {/* Made by highlight.js from the text, which it escapes. */}
        <code dangerouslySetInnerHTML={{ __html: highlight(code.replace(/\n$/, ""), language) }} />
      </pre>
    </figure>
  );
}

/** A body as code. */
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
