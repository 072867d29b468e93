/** The area and the line: `area=lon,lat;…&line=lon,lat;…`, or `area=stored` and `line=stored` for those that are too long. */
import type { Outline } from '../../scenes/footprint.ts';
import type { Position } from '../../shapes/shape.ts';
import { parseLineText, parseOutlineText, toLineText, toOutlineText } from '../../shapes/shape-text.ts';

/** The shapes of an address. */
export interface ShapesAddress {
  /** `stored`: it is too long for an address, and this browser tab has it. */
  readonly area: Outline | 'stored' | null;
  readonly line: readonly Position[] | 'stored' | null;
}

const STORED = 'stored';

/** Reads them. */
export const parseShapes = (parts: URLSearchParams): ShapesAddress => ({
  area: parts.get('area') === STORED ? STORED : parseOutlineText(parts.get('area') ?? ''),
  line: parts.get('line') === STORED ? STORED : parseLineText(parts.get('line') ?? ''),
});

/** Writes those that there are. */
export const toShapesParts = ({ area, line }: ShapesAddress): string[] => [
  ...(area === null ? [] : [`area=${area === STORED ? STORED : (toOutlineText(area) ?? STORED)}`]),
  ...(line === null ? [] : [`line=${line === STORED ? STORED : (toLineText(line) ?? STORED)}`]),
];
