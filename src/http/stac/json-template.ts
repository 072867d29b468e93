/**
 * JSON that is the same for many scenes, with holes for what differs. A page has hundreds of items whose text is mostly
 * equal: building and writing objects for each would take several times as long as setting values into text.
 */
import { randomUUID } from 'node:crypto';

/** Text between holes, and the values that go into them. */
export interface JsonTemplate {
  readonly pieces: readonly string[];
  /** For each hole the position of its value. */
  readonly holes: readonly number[];
}

/** No client can know it, so that no address or name can hold it. Its characters are the same in JSON and in addresses. */
const MARK = `hole-${randomUUID()}-`;
const PART = `${MARK}part-`;
const WHOLE = `${MARK}whole-`;
const HOLES = new RegExp(`"${WHOLE}(\\d+)-"|${PART}(\\d+)-`);

/** Stands for a part of a string: its value must be escaped for JSON (`toInner`). */
export const partHole = (value: number): string => `${PART}${value}-`;

/** Stands for a whole value, which is JSON. */
export const wholeHole = (value: number): string => `${WHOLE}${value}-`;

/** Compiles a value whose strings have holes. */
export const compileTemplate = (value: unknown): JsonTemplate => compileText(JSON.stringify(value));

/** Compiles the entries of an object, with a comma behind each. */
export const compileEntries = (value: object): JsonTemplate =>
  compileText(JSON.stringify(value).slice(1, -1).replace(/.$/s, '$&,'));

function compileText(text: string): JsonTemplate {
  // Two groups: each split gives a piece of text and the number of either kind of hole.
  const split = text.split(HOLES);
  const holes = split.flatMap((text, i) => (i % 3 === 0 || text === undefined ? [] : [Number(text)]));
  return { pieces: split.filter((_, i) => i % 3 === 0), holes };
}

/**
 * Appends a template with its values to the pieces of a text. All of these are joined at once: strings that are put together
 * two by two leave more garbage than all else that a page makes.
 */
export function fillTemplate(
  { pieces, holes }: JsonTemplate,
  values: readonly string[],
  written: string[],
): void {
  written.push(pieces[0] as string);
  for (let i = 0; i < holes.length; i += 1)
    written.push(values[holes[i] as number] as string, pieces[i + 1] as string);
}

/** A string as it stands between quotes in JSON. */
export const toInner = (text: string): string => JSON.stringify(text).slice(1, -1);
