import type { ComponentChildren } from "preact";

interface ListOptions<Value> {
  class?: string;
  element?: "ul" | "ol";
  attributesOf?: (value: Value) => object;
}

/** Null if there are no values: the section of the page is then left out. */
export function list<Value>(
  values: readonly Value[],
  show: (value: Value) => ComponentChildren,
  { class: name, element: Element = "ul", attributesOf = () => ({}) }: ListOptions<Value> = {},
): ComponentChildren {
  if (values.length === 0) return null;
  return (
    <Element class={name}>
      {values.map((value, index) => (
        <li key={index} {...attributesOf(value)}>
          {show(value)}
        </li>
      ))}
    </Element>
  );
}

interface Props<Row> {
  class?: string;
  rows: readonly Row[];
  /** The cells of each column, by heading. The first column names the row. Undefined columns are left out. */
  columns: Record<string, ((row: Row) => ComponentChildren) | undefined>;
  attributesOf?: (row: Row) => object;
}

export function Table<Row>({ class: name, rows, columns, attributesOf = () => ({}) }: Props<Row>) {
  const shownColumns = Object.entries(columns).flatMap(([title, cell]) =>
    cell === undefined ? [] : [{ title, cell }],
  );
  return (
    <div class="scroll">
      <table class={name}>
        <thead>
          <tr>
            {shownColumns.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} {...attributesOf(row)}>
              {shownColumns.map(({ title, cell }, position) =>
                position === 0 ? (
                  <th key={title} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title}>{cell(row)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
