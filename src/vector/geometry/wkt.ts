import type { ShapeGeometry } from '../shapes.ts';
import { RowFault } from './clean-geometry.ts';
import type { RawGeometry } from './wkb.ts';

/** The GeoJSON type of each word of well-known text, and the lists around its positions. */
const TYPES: Readonly<Record<string, { readonly type: string; readonly nesting: number }>> = {
  POINT: { type: 'Point', nesting: 0 },
  LINESTRING: { type: 'LineString', nesting: 1 },
  POLYGON: { type: 'Polygon', nesting: 2 },
  MULTIPOINT: { type: 'MultiPoint', nesting: 1 },
  MULTILINESTRING: { type: 'MultiLineString', nesting: 2 },
  MULTIPOLYGON: { type: 'MultiPolygon', nesting: 3 },
};

const MAX_DEPTH = 6;

/**
 * Reads well-known text, also of PostGIS (`SRID=25833;POLYGON…`); heights and measures are dropped. Malformed text throws
 * `RowFault`.
 */
export function parseWkt(text: string): RawGeometry {
  const [head = '', code] = /^\s*SRID\s*=\s*(\d{1,9})\s*;/i.exec(text) ?? [];
  const cursor: Cursor = { text, at: head.length };
  const geometry = readGeometry(cursor, 0);
  skipSpace(cursor);
  if (cursor.at < text.length) throw unexpected(cursor);
  return { geometry, srid: code === undefined ? null : Number(code) };
}

interface Cursor {
  readonly text: string;
  at: number;
}

const unexpected = ({ text, at }: Cursor): RowFault =>
  new RowFault(
    at < text.length
      ? `The well-known text has an unexpected '${text.slice(at, at + 10)}' at character ${at + 1}.`
      : 'The well-known text ends too early.',
  );

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

function skipSpace(cursor: Cursor): void {
  while (isSpace(cursor.text.charCodeAt(cursor.at))) cursor.at++;
}

/** Takes a character if it is next. */
function take(cursor: Cursor, character: string): boolean {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== character) return false;
  cursor.at++;
  return true;
}

function expect(cursor: Cursor, character: string): void {
  if (!take(cursor, character)) throw unexpected(cursor);
}

const WORD = /[A-Za-z]{1,20}/y;

function takeWord(cursor: Cursor): string | null {
  skipSpace(cursor);
  WORD.lastIndex = cursor.at;
  const [word] = WORD.exec(cursor.text) ?? [];
  if (word === undefined) return null;
  cursor.at += word.length;
  return word.toUpperCase();
}

function readGeometry(cursor: Cursor, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new RowFault('The geometry is nested too deeply.');
  const start = cursor.at;
  const word = takeWord(cursor)?.replace(/(?<=[A-Z])(?:ZM|Z|M)$/, '') ?? '';
  const known = Object.hasOwn(TYPES, word) ? TYPES[word] : undefined;
  if (known === undefined && word !== 'GEOMETRYCOLLECTION') {
    cursor.at = start;
    throw word === '' ? unexpected(cursor) : new RowFault(`'${word}' of well-known text is not read.`);
  }
  let next = takeWord(cursor);
  if (next === 'Z' || next === 'M' || next === 'ZM') next = takeWord(cursor);
  const isEmpty = next === 'EMPTY';
  if (next !== null && !isEmpty) throw new RowFault(`'${next}' of well-known text is not read.`);
  if (known === undefined) {
    const geometries = isEmpty ? [] : readList(cursor, () => readGeometry(cursor, depth + 1));
    return { type: 'GeometryCollection', geometries };
  }
  const { type, nesting } = known;
  if (isEmpty) return { type, coordinates: [] };
  if (nesting > 0) return { type, coordinates: readNested(cursor, nesting) };
  expect(cursor, '(');
  const coordinates = readPosition(cursor);
  expect(cursor, ')');
  return { type, coordinates };
}

function readList(cursor: Cursor, readOne: () => unknown): unknown[] {
  expect(cursor, '(');
  const list: unknown[] = [];
  do list.push(readOne());
  while (take(cursor, ','));
  expect(cursor, ')');
  return list;
}

/** A part of a multi-geometry may be EMPTY; the points of a multi-point may be in brackets. */
function readNested(cursor: Cursor, nesting: number): unknown[] {
  return readList(cursor, () => {
    if (nesting > 1) return takeWord(cursor) === 'EMPTY' ? [] : readNested(cursor, nesting - 1);
    const isBracketed = take(cursor, '(');
    const position = readPosition(cursor);
    if (isBracketed) expect(cursor, ')');
    return position;
  });
}

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;

function takeNumber(cursor: Cursor): number | null {
  skipSpace(cursor);
  NUMBER.lastIndex = cursor.at;
  const [text] = NUMBER.exec(cursor.text) ?? [];
  if (text === undefined) return null;
  cursor.at += text.length;
  return Number(text);
}

function readPosition(cursor: Cursor): [number, number] {
  const [x, y] = [takeNumber(cursor), takeNumber(cursor)];
  if (x === null || y === null) throw unexpected(cursor);
  // height and measure
  if (takeNumber(cursor) !== null) takeNumber(cursor);
  return [x, y];
}

/** Writes a geometry as well-known text. */
export function toWkt(geometry: ShapeGeometry): string {
  const word = geometry.type.toUpperCase();
  if (geometry.type === 'GeometryCollection')
    return geometry.geometries.length === 0
      ? `${word} EMPTY`
      : `${word} (${geometry.geometries.map(toWkt).join(', ')})`;
  if (geometry.coordinates.length === 0) return `${word} EMPTY`;
  return `${word} ${geometry.type === 'Point' ? `(${toText(geometry.coordinates)})` : toText(geometry.coordinates)}`;
}

type Nested = readonly (number | Nested)[];

function toText(list: Nested): string {
  const [first] = list;
  if (typeof first === 'number') return `${first} ${list[1]}`;
  if (first === undefined) return 'EMPTY';
  return `(${(list as readonly Nested[]).map(toText).join(', ')})`;
}
