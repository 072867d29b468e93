import type { Affine } from '../../../geo/index.ts';
import type { Georeference } from '../../tiff/index.ts';
import { isGeographicCode, isUsableTransform } from '../../tiff/index.ts';

/** Where an image lies; null where the file does not say. */
export type Jp2Georeference = Pick<Georeference, 'epsg' | 'transform'>;

/** Text of the first element of that name after `from`; the names of GMLJP2 stand with or without prefix. */
function findText(gml: string, name: string, from: number): { text: string; end: number } | null {
  const opening = new RegExp(`<(?:gml:)?${name}(?: [^<>]{0,1000})?>([^<>]{0,1000})<`, 'g');
  opening.lastIndex = from;
  const match = opening.exec(gml);
  return match === null ? null : { text: match[1]!, end: opening.lastIndex };
}

const toPair = (text: string | undefined): readonly [number, number] | null => {
  const numbers = (text ?? '').trim().split(/\s+/).map(Number);
  return numbers.length === 2 && numbers.every(Number.isFinite) ? [numbers[0]!, numbers[1]!] : null;
};

/** The grid of a GMLJP2 coverage: centre of the first pixel and the steps to its neighbours (OGC 05-047r3). */
export function parseGmlGrid(gml: string): Jp2Georeference | null {
  const grid = gml.search(/<(?:gml:)?RectifiedGrid[ >]/);
  if (grid < 0) return null;
  const centre = toPair(findText(gml, 'pos', grid)?.text);
  const first = findText(gml, 'offsetVector', grid);
  const second = first === null ? null : findText(gml, 'offsetVector', first.end);
  const [right, down] = [toPair(first?.text), toPair(second?.text)];
  if (centre === null || right === null || down === null) return null;
  const code = /srsName="[^"<>]{0,200}EPSG(?:::|:|\/\d{1,5}\/)(\d{4,5})"/.exec(gml.slice(grid))?.[1];
  const epsg = code === undefined ? null : Number(code);
  // Latitude stands first in geographic systems.
  const [x, y] = epsg !== null && isGeographicCode(epsg) ? [1, 0] : [0, 1];
  const transform: Affine = [
    centre[x]! - (right[x]! + down[x]!) / 2,
    right[x]!,
    down[x]!,
    centre[y]! - (right[y]! + down[y]!) / 2,
    right[y]!,
    down[y]!,
  ];
  return { epsg, transform: isUsableTransform(transform) ? transform : null };
}
