import type { ShapeGeometry } from '../shapes.ts';
import { boxOf } from './bounds.ts';
import { RowFault } from './clean-geometry.ts';
import type { RawGeometry } from './wkb.ts';
import { parseWkb, toWkb } from './wkb.ts';

/** Bytes of the envelope, by its code in the flags (OGC 12-128r18, clause 2.1.3). */
const ENVELOPES = [0, 32, 48, 48, 64];

/** The geometry in a blob of a GeoPackage: a header, an envelope and well-known binary. */
export function parseGeoPackageBlob(blob: Uint8Array): RawGeometry {
  if (blob.length < 8 || blob[0] !== 0x47 || blob[1] !== 0x50)
    throw new RowFault('The geometry is not one of a GeoPackage.');
  const flags = blob[3] as number;
  const envelope = ENVELOPES[(flags >> 1) & 7];
  if (envelope === undefined || (flags & 0x20) !== 0)
    throw new RowFault('The geometry has a header that is not read.');
  return parseWkb(blob.subarray(8 + envelope));
}

/** The blob of a geometry in WGS 84, with its box. */
export function toGeoPackageBlob(geometry: ShapeGeometry): Uint8Array {
  const box = boxOf(geometry);
  const header = Buffer.alloc(8 + (box === null ? 0 : 32));
  // little endian; with a box, or empty
  header.set([0x47, 0x50, 0, box === null ? 0x11 : 0x03]);
  header.writeInt32LE(4326, 4);
  if (box !== null)
    [box.xmin, box.xmax, box.ymin, box.ymax].forEach((side, i) => {
      header.writeDoubleLE(side, 8 + 8 * i);
    });
  return Buffer.concat([header, toWkb(geometry)]);
}
