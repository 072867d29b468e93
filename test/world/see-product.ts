import type { Asset } from '../../src/catalog/index.ts';
import { makePixelMapping } from '../../src/proj/index.ts';
import type { Band } from '../../src/sensors/index.ts';
import type { DemoPart } from '../../world/demo/demo-part.ts';
import type { Locations } from '../../world/ground/ground.ts';
import type { SkyPlan, SpectralBand } from '../../world/light/exposure.ts';
import { epsg, frame } from '../../world/setting.ts';

/** Where the pixels lie by what ingest has understood of the file, in local metres. */
export function toLocations(
  { epsg: code, proj, transform, lattice, width, height }: Asset,
  sideM: number,
): Locations {
  const { toTarget } = makePixelMapping(
    {
      epsg,
      width: frame.sizeM,
      height: frame.sizeM,
      transform: [frame.west, 1, 0, frame.north, 0, -1],
    },
    { epsg: code, width, height, transform, ...(proj && { proj }), ...(lattice && { lattice }) },
  );
  const [x, y] = [new Float64Array(width * height), new Float64Array(width * height)];
  for (let i = 0; i < x.length; i++) {
    // to the millimetre, so that a pixel on an edge lies on the same side as it did for the writer
    const [col, row] = toTarget((i % width) + 0.5, Math.floor(i / width) + 0.5);
    [x[i], y[i]] = [Math.round(col * 1000) / 1000, Math.round(row * 1000) / 1000];
  }
  return { width, height, x, y, sideM };
}

/** The moment, sky and level that a plan's picture is taken with. */
export function toMoment({ kind, plan }: DemoPart): {
  readonly atMs: number;
  readonly sky: SkyPlan;
  readonly level: 'top' | 'surface';
} {
  const clear = { seed: 0, opaque: 0, cirrus: 0, haze: 0 };
  if (kind === 'modis') {
    const dayMs = Math.floor(plan.atMs / 86_400_000) * 86_400_000;
    // made for local noon, of many cloudless days
    return { atMs: dayMs + 20.15 * 3_600_000, sky: clear, level: 'surface' };
  }
  if (kind === 'naip') return { atMs: plan.atMs, sky: { ...clear, haze: 0.05 }, level: 'surface' };
  if (kind === 'terrain' || kind === 'weather' || kind === 'sentinel1')
    throw new Error(`no picture: ${kind}`);
  return { atMs: plan.atMs, sky: plan.sky, level: kind === 'sentinel2-l2a' ? 'surface' : 'top' };
}

/** Whether a band holds light or warmth, and no flags. */
export const isMeasure = ({ kind }: Band): boolean => kind === 'reflective' || kind === 'thermal';
/** A band as a picture of the world is asked for. */
export const toSpectral = ({ name, kind, centreNm, widthNm }: Band): SpectralBand => ({
  name,
  kind: kind as SpectralBand['kind'],
  centreNm: centreNm!,
  widthNm: widthNm!,
});
