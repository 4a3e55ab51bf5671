/** Tables, which scroll by themselves where a screen is too narrow. */
import type { ComponentChildren } from "preact";

interface Props {
  class?: string;
  caption?: ComponentChildren;
  /** The headings of the columns; one that is false is left out. */
  head: readonly (string | false)[];
  /** The rows. */
  children: ComponentChildren;
}

export function Table({ class: name, caption, head, children }: Props) {
  return (
    <div class="scroll">
      <table class={name}>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>
            {head.map(
              (words) =>
                words !== false && (
                  <th key={words} scope="col">
                    {words}
                  </th>
                ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
