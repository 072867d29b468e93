import type { Grid } from '../../geo/index.ts';
import { applyAffine, areaKm2 } from '../../geo/index.ts';
import type { ClusterModel, Features } from '../../numbers/index.ts';
import { assignClusters, sieve, toMinPixels } from '../../numbers/index.ts';
import { makeProjection } from '../../proj/index.ts';

/** A class for every pixel of an area, in shared memory; 0 where there is none. */
export interface Zones {
  readonly grid: Grid;
  readonly labels: Uint8Array;
}

interface ZonesRequest {
  readonly model: ClusterModel;
  readonly grid: Grid;
  /** Where the area is, masked where there is no data. */
  readonly features: Features;
  /** 1 where there is data, also outside of the area. */
  readonly data: Uint8Array;
  /** 1 in the area. */
  readonly inside: Uint8Array;
  readonly minAreaM2: number;
}

/** The classes of a whole area without patches smaller than a limit; found once, so that all tiles agree. */
export function sieveZones({ model, grid, features, data, inside, minAreaM2 }: ZonesRequest): Zones {
  const { width, height } = grid;
  const found = assignClusters(model, features);
  const minPixels = toMinPixels(minAreaM2, pixelAreaM2(grid));
  const sieved = minPixels <= 1 ? found : sieve({ labels: found, width, height }, minPixels);
  const labels = new Uint8Array(new SharedArrayBuffer(sieved.length));
  labels.set(sieved);
  growOnce(labels, { from: sieved, isOpen: (i) => inside[i] === 0 && data[i] === 1, width });
  return { grid, labels };
}

/** Pixels of a side of the square that a pixel's area is measured by: one alone is too small to be measured well. */
const SQUARE_PX = 16;

/** Ground that a pixel in the middle of a grid covers. */
function pixelAreaM2({ epsg, proj, transform, width, height }: Grid): number {
  const { forward } = makeProjection(proj ?? epsg, 4326);
  const [left, top] = [(width - SQUARE_PX) / 2, (height - SQUARE_PX) / 2];
  const corners = [
    [0, 0],
    [0, SQUARE_PX],
    [SQUARE_PX, SQUARE_PX],
    [SQUARE_PX, 0],
    [0, 0],
  ].map(([x = 0, y = 0]) => forward(...applyAffine(transform, left + x, top + y)));
  return (Math.abs(areaKm2({ type: 'Polygon', coordinates: [corners] })) * 1e6) / SQUARE_PX ** 2;
}

interface Growth {
  readonly from: Uint8Array;
  /** Whether a pixel without a class may have one. */
  readonly isOpen: (i: number) => boolean;
  readonly width: number;
}

/**
 * Gives pixels around the area the class of a neighbour. The edge of an area cuts through pixels: where it holds less
 * than their middle, a finer picture still shows a part of them. What has no data has no class there either.
 */
function growOnce(labels: Uint8Array, { from, isOpen, width }: Growth): void {
  for (let i = 0, x = 0; i < from.length; i++) {
    if (from[i] === 0 && isOpen(i)) {
      const [left, right] = [x > 0 ? 1 : 0, x + 1 < width ? 1 : 0];
      for (const row of [i, i - width, i + width]) {
        for (let j = row - left; j <= row + right && labels[i] === 0; j++) labels[i] = from[j] ?? 0;
      }
    }
    x = x + 1 === width ? 0 : x + 1;
  }
}
