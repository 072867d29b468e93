/** The area and the line of this tab where they are too long for the address, so that a reload still finds them. */
import { parseOutline } from '../scenes/footprint.ts';
import { asRecord, asText } from '../scenes/read-json.ts';
import type { Position } from '../shapes/shape.ts';
import { toTidyLine, toTidyOutline } from '../shapes/shape.ts';
import type { Area, Line } from './drawing.ts';

const [AREA_NAME, LINE_NAME] = ['swath.area', 'swath.line'] as const;

/** Reads and replaces them. */
export interface ShapeStore {
  /** `null` when there is none, or none that can be read. */
  readArea(): Area | null;
  readLine(): Line | null;
  /** False when the browser has no room for it, or no storage at all. */
  storeArea(area: Area): boolean;
  storeLine(line: Line): boolean;
}

/** The part of a storage that is used. */
interface TextStorage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
}

/** Reads what was stored; anyone who can run code on the page can write it, so it is checked like an address. */
const parseStored = <Shape>(
  text: string | null,
  parse: (fields: Record<string, unknown>) => Shape | null,
): Shape | null => {
  try {
    return parse(asRecord(JSON.parse(text ?? 'null')));
  } catch {
    // Not JSON: another version or another program wrote it.
    return null;
  }
};

/** Reads an area that was stored. */
export const parseStoredArea = (text: string | null): Area | null =>
  parseStored(text, ({ outline, name }) => {
    const parsed = parseOutline(outline);
    const tidy = parsed === null ? null : toTidyOutline(parsed);
    return tidy === null ? null : { outline: tidy, name: asText(name) };
  });

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) && value.length === 2 && value.every((part) => Number.isFinite(part));

/** Reads a line that was stored. */
export const parseStoredLine = (text: string | null): Line | null =>
  parseStored(text, ({ positions, name }) => {
    if (!Array.isArray(positions) || !positions.every(isPosition)) return null;
    const tidy = toTidyLine(positions);
    return tidy === null ? null : { positions: tidy, name: asText(name) };
  });

/** Builds it over a storage, which may refuse to be there at all. */
export const makeShapeStore = (ofTab: () => TextStorage): ShapeStore => {
  const read = (name: string): string | null => {
    try {
      return ofTab().getItem(name);
    } catch {
      return null;
    }
  };
  const store = (name: string, shape: Area | Line): boolean => {
    try {
      ofTab().setItem(name, JSON.stringify(shape));
      return true;
    } catch {
      return false;
    }
  };
  return {
    readArea: () => parseStoredArea(read(AREA_NAME)),
    readLine: () => parseStoredLine(read(LINE_NAME)),
    storeArea: (area) => store(AREA_NAME, area),
    storeLine: (line) => store(LINE_NAME, line),
  };
};
