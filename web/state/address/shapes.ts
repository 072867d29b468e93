/** The area and the line: `area=lon,lat;…&line=lon,lat;…`, or `area=stored` for one that is too long. */
import type { Outline } from '../../scenes/footprint.ts';
import type { Position } from '../../shapes/shape.ts';
import { parseLineText, parseOutlineText, toLineText, toOutlineText } from '../../shapes/shape-text.ts';

/** The shapes of an address. */
export interface ShapesAddress {
  /** `stored`: the area is too long for an address, and this browser tab has it. */
  readonly area: Outline | 'stored' | null;
  readonly line: readonly Position[] | null;
}

const STORED = 'stored';

/** Reads them. */
export const parseShapes = (parts: URLSearchParams): ShapesAddress => ({
  area: parts.get('area') === STORED ? STORED : parseOutlineText(parts.get('area') ?? ''),
  line: parseLineText(parts.get('line') ?? ''),
});

/** Writes those that there are; a line that is too long is left out. */
export const toShapesParts = ({ area, line }: ShapesAddress): string[] => {
  const lineText = line === null ? null : toLineText(line);
  return [
    ...(area === null ? [] : [`area=${area === STORED ? STORED : (toOutlineText(area) ?? STORED)}`]),
    ...(lineText === null ? [] : [`line=${lineText}`]),
  ];
};
