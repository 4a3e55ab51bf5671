import * as fc from "fast-check";
import { expect, it } from "vitest";
import { type MemberPath, memberText, withMember } from "../../scripts/site/assets/browser/sending/json-members.ts";
import "../support/property-seed.ts";

const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r"), maxLength: 3 });
const names = fc.constantFrom("amount", "currency", 'a "b"', "{", "x:y,", "__proto__", "");
const scalars = fc.oneof(
  fc.constantFrom("125.50", "12345678901234567890", "1e-8", "-0", "1.0", "null", "true", '"it\\u0027s {,:} \\" \\\\"'),
  fc.string().map((text) => JSON.stringify(text)),
);

/** JSON texts of values, with white space between their tokens. */
const { value: values } = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalars, tie("object"), tie("list")),
  object: fc
    .array(fc.tuple(space, names, space, space, tie("value"), space), { maxLength: 3 })
    .map(
      (parts) =>
        `{${parts.map(([beforeName, name, afterName, beforeValue, json, afterValue]) => `${beforeName}${JSON.stringify(name)}${afterName}:${beforeValue}${json}${afterValue}`)}}`,
    ),
  list: fc
    .array(fc.tuple(space, tie("value"), space), { maxLength: 3 })
    .map((items) => `[${items.map((item) => item.join(""))}]`),
}));

const member = fc.record({ name: names, value: values, spaces: fc.tuple(space, space, space, space) });
const members = (minLength: number) =>
  fc.uniqueArray(member, { minLength, maxLength: 5, selector: ({ name }) => name });
type Members = { name: string; value: string; spaces: [string, string, string, string] }[];

const memberJson = ({ name, value, spaces: [beforeName, afterName, beforeValue, afterValue] }: Members[number]) =>
  `${beforeName}${JSON.stringify(name)}${afterName}:${beforeValue}${value}${afterValue}`;

it("sets a member that is there, and changes no other character", () => {
  fc.assert(
    fc.property(
      members(1),
      fc.nat(),
      values,
      space,
      fc.array(names, { maxLength: 2 }),
      (allMembers, index, value, padding, outerNames) => {
        const chosenMember = allMembers[index % allMembers.length] as Members[number];
        const nestedText = (text: string) =>
          outerNames.reduceRight(
            (innerText, name) => `{"first":[{}],${padding}${JSON.stringify(name)} :${innerText} }`,
            text,
          );
        const text = (value: string) =>
          padding +
          nestedText(
            `{${allMembers.map((item) => memberJson(item === chosenMember ? { ...chosenMember, value } : item))}}`,
          ) +
          padding;
        const path = [...outerNames, chosenMember.name] as unknown as MemberPath;
        expect(memberText(text(chosenMember.value), path)).toBe(chosenMember.value);
        expect(withMember(text(chosenMember.value), path, value)).toBe(text(value));
      },
    ),
  );
});

it("adds a member at the end, removes it again, and changes no other character", () => {
  fc.assert(
    fc.property(members(1), values, space, (allMembers, value, padding) => {
      const text = `${padding}{${allMembers.map(memberJson)}}${padding}`;
      const end = text.length - padding.length - 1 - (allMembers.at(-1)?.spaces[3].length ?? 0);
      const addedText = withMember(text, ["new"], value) ?? "";
      expect([addedText.slice(0, end), addedText.slice(end - text.length)]).toEqual([
        text.slice(0, end),
        text.slice(end),
      ]);
      expect(memberText(addedText, ["new"])).toBe(value);
      expect(withMember(addedText, ["new"], undefined)).toBe(text);
    }),
  );
});

it("removes a member, and keeps the others in their order with their text", () => {
  fc.assert(
    fc.property(members(2), fc.nat(), (allMembers, index) => {
      const removedMember = allMembers[index % allMembers.length];
      const remainingText = withMember(`{${allMembers.map(memberJson)}}`, [removedMember?.name ?? ""], undefined) ?? "";
      const otherMembers = allMembers.filter((item) => item !== removedMember);
      expect(Object.keys(JSON.parse(remainingText))).toEqual(
        Object.keys(JSON.parse(`{${otherMembers.map(memberJson)}}`)),
      );
      for (const { name, value } of otherMembers) expect(memberText(remainingText, [name])).toBe(value);
      expect(remainingText.replace(/\s/g, "")).toBe(`{${otherMembers.map(memberJson)}}`.replace(/\s/g, ""));
    }),
  );
});

it.each<[text: string, path: MemberPath, value: string | undefined, expected: string | undefined]>([
  ["{}", ["a"], "1.50", '{\n  "a": 1.50\n}'],
  ['{\n  "a": { }\n}', ["a", "b"], "1", '{\n  "a": {\n    "b": 1\n  }\n}'],
  ['{\n  "a": 1.0\n}', ["b"], '"c"', '{\n  "a": 1.0,\n  "b": "c"\n}'],
  ['{"a":1}', ["b", "c", "d"], "2", '{"a":1,"b":{ "c": { "d": 2 } }}'],
  ['{ "a": { "b": { "c": 1 } }, "d": 2 }', ["a", "b", "c"], undefined, '{ "d": 2 }'],
  ['{ "a": { "b": 1 } }', ["a", "b"], undefined, "{}"],
  ['{ "a": {} }', ["a", "b"], undefined, '{ "a": {} }'],
  ['{"a":1,"b":2,"a":3}', ["a"], "4", '{"a":1,"b":2,"a":4}'],
  ['{"a":1,"b":2,"a":3,"a":5}', ["a"], undefined, '{"b":2}'],
  ["[1]", ["a"], "2", undefined],
  [' "a" ', ["a"], undefined, undefined],
  ['{"a":null}', ["a", "b"], "2", undefined],
])("in %s, sets %j to %s", (text, path, value, expectedText) => {
  expect(withMember(text, path, value)).toBe(expectedText);
});
