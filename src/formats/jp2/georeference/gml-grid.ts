import type { Affine } from '../../../geo/index.ts';
import type { XmlElement } from '../../../xml/index.ts';
import { descendantsOf, tryParseXml } from '../../../xml/index.ts';
import { isGeographicCode } from '../../tiff/georeference/geographic-codes.ts';
import type { Georeference } from '../../tiff/georeference/georeference.ts';
import { isUsableTransform } from '../../tiff/georeference/georeference.ts';
import { MAX_METADATA_BYTES } from '../limits.ts';

/** Where an image lies; null where the file does not say. */
export type Jp2Georeference = Pick<Georeference, 'epsg' | 'transform'>;

const toPair = (text: string | undefined): readonly [number, number] | null => {
  const numbers = (text ?? '').trim().split(/\s+/).map(Number);
  return numbers.length === 2 && numbers.every(Number.isFinite) ? [numbers[0]!, numbers[1]!] : null;
};

/** An EPSG code as a URN, a URL or in the short form. */
const EPSG = /EPSG(?:::|:|\/\d{1,5}\/)(\d{4,5})$/;

/** The first EPSG code that an element of the grid names; null when none does. */
function findEpsg(grid: XmlElement): number | null {
  const named = [grid, ...['Point', 'pos', 'offsetVector'].flatMap((name) => descendantsOf(grid, name))];
  const codes = named.map(({ attributes }) => EPSG.exec(attributes.srsName ?? '')?.[1]);
  const code = codes.find((found) => found !== undefined);
  return code === undefined ? null : Number(code);
}

/**
 * The grid of a GMLJP2 coverage: centre of the first pixel and the steps to its neighbours (OGC 05-047r3). Null when the
 * document has no such grid or cannot be read.
 */
export function parseGmlGrid(gml: string): Jp2Georeference | null {
  // Some writers end the text of a box with a NUL.
  const [text = ''] = gml.split('\0', 1);
  const root = tryParseXml(text, 'GMLJP2', MAX_METADATA_BYTES);
  const grid = root === null ? undefined : descendantsOf(root, 'RectifiedGrid')[0];
  if (grid === undefined) return null;
  const [first, second] = descendantsOf(grid, 'offsetVector');
  const centre = toPair(descendantsOf(grid, 'pos')[0]?.text);
  const [right, down] = [toPair(first?.text), toPair(second?.text)];
  if (centre === null || right === null || down === null) return null;
  const epsg = findEpsg(grid);
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
