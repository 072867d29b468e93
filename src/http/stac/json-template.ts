/**
 * JSON that is the same for many scenes, with holes for what differs. A page has hundreds of items whose text is mostly
 * equal: building and writing objects for each would take several times as long as setting values into bytes.
 */
import { randomUUID } from 'node:crypto';
import type { JsonBytes } from './json-bytes.ts';

/** What stands between holes, and the values that go into them. */
export interface JsonTemplate {
  readonly pieces: readonly Buffer[];
  /** For each hole the position of its value. */
  readonly holes: readonly number[];
  /** Fillings whose values have other lengths, as they were written last. */
  readonly fillings: Filling[];
}

/** A template with its values. In the next filling most values are as long, and many are equal. */
interface Filling {
  readonly bytes: Uint8Array;
  readonly values: readonly string[];
  /** For each value where it stands. */
  readonly places: readonly (readonly number[])[];
}

/** Days and months have one digit or two, and origins of transforms six or seven. */
const MAX_FILLINGS = 4;

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
  const pieces = split.filter((_, i) => i % 3 === 0).map((piece) => Buffer.from(piece));
  return { pieces, holes, fillings: [] };
}

/** Appends a template with its values: those of a filling that is as long are written over a copy of it. */
export function fillTemplate(template: JsonTemplate, values: readonly string[], out: JsonBytes): void {
  const filling = template.fillings.find((one) => isAsLong(one.values, values));
  if (filling === undefined) {
    writePieces(template, values, out);
    return;
  }
  const begin = out.length;
  out.copy(filling.bytes);
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as string;
    if (value !== filling.values[i]) out.overwrite(value, begin, filling.places[i] as readonly number[]);
  }
}

/** Whether each value takes as many bytes as the one before it. */
function isAsLong(before: readonly string[], values: readonly string[]): boolean {
  for (let i = 0; i < values.length; i += 1)
    if ((values[i] as string).length !== (before[i] as string).length) return false;
  for (let i = 0; i < values.length; i += 1)
    if (values[i] !== before[i] && !isAscii(values[i] as string)) return false;
  return true;
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

function writePieces({ pieces, holes, fillings }: JsonTemplate, values: readonly string[], out: JsonBytes) {
  const begin = out.length;
  const places = values.map((): number[] => []);
  out.copy(pieces[0] as Buffer);
  for (let i = 0; i < holes.length; i += 1) {
    const hole = holes[i] as number;
    places[hole]?.push(out.length - begin);
    out.write(values[hole] as string);
    out.copy(pieces[i + 1] as Buffer);
  }
  if (!values.every(isAscii)) return;
  fillings.unshift({ bytes: Uint8Array.from(out.since(begin)), values: [...values], places });
  if (fillings.length > MAX_FILLINGS) fillings.pop();
}

/** A string as it stands between quotes in JSON. */
export const toInner = (text: string): string => JSON.stringify(text).slice(1, -1);
