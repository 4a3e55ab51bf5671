/** Members are read and changed by the tokens of a JSON text. Parsing could change numbers, the order of members and white space. */
import { visitTokens } from "../../../../client/src/reading/index.ts";

/** Outermost first. */
export type MemberPath = readonly [string, ...string[]];

/** Positions in the text. Ends are exclusive. */
interface Span {
  start: number;
  end: number;
}

interface Member {
  name: string;
  key: Span;
  value: Span;
}

interface JsonObject extends Span {
  members: readonly Member[];
}

/**
 * If several members have the same name, the last one counts.
 *
 * @param text JSON.
 * @returns the JSON text of the member's value; undefined if there is no such member.
 */
export function memberText(text: string, path: MemberPath): string | undefined {
  const location = findMember(text, path);
  return location?.member && text.slice(location.member.value.start, location.member.value.end);
}

/**
 * All other characters stay, except white space in an empty object that gets a member, and the comma and white space next to a removed
 * member. Missing objects on the path are added, and nested objects that become empty are removed.
 *
 * @param text JSON.
 * @param value JSON; undefined removes the member.
 * @returns undefined if a value on the path is not an object.
 */
export function withMember(text: string, path: MemberPath, value: string | undefined): string | undefined {
  const location = findMember(text, path);
  if (location === undefined) return undefined;
  const { object, member, missingNames } = location;
  if (value === undefined) return member === undefined ? text : removeMembers(text, path, object);
  if (member !== undefined) return text.slice(0, member.value.start) + value + text.slice(member.value.end);
  const [name = "", ...innerNames] = missingNames;
  const memberValue = innerNames.reduceRight(
    (nestedText, innerName) => `{ ${JSON.stringify(innerName)}: ${nestedText} }`,
    value,
  );
  return addMember(text, object, name, memberValue);
}

interface MemberLocation {
  /** The innermost object of the path that exists. */
  object: JsonObject;
  /** Undefined if the member or an enclosing object is missing. */
  member: Member | undefined;
  /** The names from the first missing member on. */
  missingNames: readonly string[];
}

function findMember(text: string, path: MemberPath): MemberLocation | undefined {
  let start = text.search(/\S/);
  for (const [depth, name] of path.entries()) {
    const object = objectAt(text, start);
    if (object === undefined) return undefined;
    const member = object.members.findLast((candidate) => candidate.name === name);
    if (member === undefined) return { object, member, missingNames: path.slice(depth) };
    if (depth === path.length - 1) return { object, member, missingNames: [] };
    start = member.value.start;
  }
  return undefined;
}

/** @returns undefined if the value at the position is not an object. */
function objectAt(text: string, start: number): JsonObject | undefined {
  if (text[start] !== "{") return undefined;
  const members: Member[] = [];
  let depth = 0;
  let key: Span | undefined;
  let valueSearchStart = start;
  /** The end of the token that was read last. At a comma or brace after a member, it is the end of the member's value. */
  let end = start;
  visitTokens(text.slice(start), (firstCharacter, tokenStart, tokenEnd) => {
    if (depth === 1 && firstCharacter === '"' && key === undefined)
      key = { start: start + tokenStart, end: start + tokenEnd };
    if (depth === 1 && firstCharacter === ":") valueSearchStart = start + tokenEnd;
    if (depth === 1 && (firstCharacter === "," || firstCharacter === "}") && key !== undefined) {
      const name = JSON.parse(text.slice(key.start, key.end)) as string;
      members.push({
        name,
        key,
        value: { start: valueSearchStart + lengthOfSpace(text, valueSearchStart), end },
      });
      key = undefined;
    }
    if (firstCharacter === "{" || firstCharacter === "[") depth += 1;
    if (firstCharacter === "}" || firstCharacter === "]") depth -= 1;
    end = start + tokenEnd;
    return depth === 0;
  });
  return { start, end, members };
}

/** There must be another character after the white space. */
function lengthOfSpace(text: string, position: number): number {
  return text.slice(position).search(/\S/);
}

function removeMembers(text: string, path: MemberPath, { start, end, members }: JsonObject): string | undefined {
  const name = path.at(-1);
  const otherMembers = members.filter((member) => member.name !== name);
  const [outerName, ...innerNames] = path.slice(0, -1);
  if (otherMembers.length === 0 && outerName !== undefined)
    return withMember(text, [outerName, ...innerNames], undefined);
  if (otherMembers.length === 0) return `${text.slice(0, start)}{}${text.slice(end)}`;
  // The last member is removed first, so that the earlier positions stay valid. A member is removed with the comma and the space next to
  // it.
  return members.reduceRight((remainingText, member, index) => {
    if (member.name !== name) return remainingText;
    const isFirst = members.indexOf(otherMembers[0] as Member) > index;
    const removalStart = isFirst ? member.key.start : (members[index - 1]?.value.end ?? start);
    const removalEnd = isFirst ? (members[index + 1]?.key.start ?? end) : member.value.end;
    return remainingText.slice(0, removalStart) + remainingText.slice(removalEnd);
  }, text);
}

function addMember(text: string, { start, end, members }: JsonObject, name: string, value: string): string {
  const key = JSON.stringify(name);
  const lastMember = members.at(-1);
  if (lastMember === undefined) {
    const indent = lengthOfSpace(text, text.lastIndexOf("\n", start) + 1);
    const [outerIndent, innerIndent] = [indent, indent + 2].map((width) => `\n${" ".repeat(width)}`);
    return `${text.slice(0, start)}{${innerIndent}${key}: ${value}${outerIndent}}${text.slice(end)}`;
  }
  // The new member gets the same white space as the last member.
  const space = text.slice(members.at(-2)?.value.end ?? start, lastMember.key.start).replace(/^\s*[{,]/, "");
  const colon = text.slice(lastMember.key.end, lastMember.value.start);
  return `${text.slice(0, lastMember.value.end)},${space}${key}${colon}${value}${text.slice(lastMember.value.end)}`;
}
