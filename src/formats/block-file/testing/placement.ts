import { unsupported } from '../../../errors.ts';
import type { Affine, Lattice } from '../../../geo/index.ts';
import { nearestAffine } from '../../../geo/index.ts';
import { makeProjection, parseLattice } from '../../../proj/index.ts';
import type { Georeference } from '../../tiff/georeference/georeference.ts';

/** Where an image lies, as a grid or an asset of the catalog says it. */
interface Placement {
  /** 0 when `proj` defines the reference system. */
  readonly epsg: number;
  readonly proj?: string;
  readonly transform: Affine;
  readonly lattice?: Lattice;
}

/**
 * Where an opened image lies: by its affine, or by the lattice of its control points. An image without a georeference
 * throws `no-georeference`, one in an unknown system `unknown-crs` or `bad-crs`, one with scattered points `no-lattice`.
 */
export function toPlacement(file: Georeference): Placement {
  const crs = file.proj ?? file.epsg;
  if (crs === null)
    throw unsupported('no-georeference', 'The image does not say in which reference system it lies.');
  // Checked once here, so that no picture fails because of it later.
  makeProjection(crs, 4326);
  const system = typeof crs === 'string' ? { epsg: 0, proj: crs } : { epsg: crs };
  if (file.transform !== null) return { ...system, transform: file.transform };
  if (file.gcps.length === 0) throw unsupported('no-georeference', 'The image does not say where it lies.');
  const lattice = parseLattice(file.gcps, crs);
  return { ...system, transform: nearestAffine(lattice), lattice };
}
