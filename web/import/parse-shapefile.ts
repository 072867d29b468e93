/** A zipped Shapefile: geometry, reference system and names. */
import type { Shape } from '../shapes/shape.ts';
import { makeArea, makeLine } from './make-shapes.ts';
import { parseDbfNames } from './parse-dbf.ts';
import type { ToLonLat } from './parse-prj.ts';
import { parsePrj } from './parse-prj.ts';
import { groupRings, parseShp } from './parse-shp.ts';

/** The files of one Shapefile that are read; all but the first may be missing. */
export interface ShapefileParts {
  readonly shp: Uint8Array;
  readonly prj: Uint8Array | null;
  readonly dbf: Uint8Array | null;
  /** The encoding of the texts in `dbf`. */
  readonly cpg: Uint8Array | null;
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Reads the parts; throws a `Refusal`. */
export const parseShapefile = ({ shp, prj, dbf, cpg }: ShapefileParts): readonly Shape[] => {
  // Without a reference system numbers that look like degrees are taken for degrees, others are refused.
  const convert: ToLonLat = prj === null ? (position) => position : parsePrj(decode(prj));
  const names = dbf === null ? [] : parseDbfNames(dbf, cpg === null ? null : decode(cpg));
  return parseShp(shp).flatMap(({ kind, parts }, i): readonly Shape[] => {
    const name = names[i] || null;
    if (kind === 'area') {
      const polygons = groupRings(parts).map((rings) => rings.map((ring) => ring.map(convert)));
      return makeArea(polygons, name);
    }
    return kind === 'line' ? parts.flatMap((part) => makeLine(part.map(convert), name)) : [];
  });
};
