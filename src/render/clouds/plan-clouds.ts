import type { Asset, CloudMask, Scene } from '../../catalog/index.ts';
import type { Grid, Size } from '../../geo/index.ts';
import { planWarp } from '../../raster/index.ts';
import type { MaskFlag, Sensor } from '../../sensors/index.ts';
import { toBandFile } from '../inputs/band-file.ts';
import { planInputs } from '../inputs/plan-inputs.ts';
import type { CloudOutlines, CloudPixels, CloudPlan } from '../plan/cloud-plan.ts';
import type { InputPlan } from '../plan/input-plan.ts';

interface CloudRequest {
  readonly scene: Scene;
  readonly sensor: Sensor;
  readonly grid: Grid;
  readonly onlyOpaque: boolean;
  /** For numbers and not for pictures: polygons count for pixels of the finest band, however coarse the grid is. */
  readonly isExact?: boolean;
}

/** Decides where a grid's clouds are read from; null when scene or sensor say nothing of single pixels. Pure. */
export function planClouds(request: CloudRequest): CloudPlan | null {
  const { scene, onlyOpaque } = request;
  const source = scene.cloudMask === undefined ? null : planSource(scene.cloudMask, request);
  return source === null ? null : { source, onlyOpaque };
}

/** Decides where pixels of some classes are read from; null when the scene has no file of the band. Pure. */
export function planClasses(
  { band, classes }: { readonly band: string; readonly classes: readonly number[] },
  request: Omit<CloudRequest, 'onlyOpaque'>,
): CloudPlan | null {
  const source = planBand(band, { kind: 'classes', opaque: classes, cirrus: [] }, request);
  return source === null ? null : { source, onlyOpaque: true };
}

function planSource(mask: CloudMask, request: CloudRequest): CloudPlan['source'] | null {
  const { cloud } = request.sensor;
  if (mask.kind === 'polygons' && cloud.kind === 'mask-file') return planPolygons(mask, request);
  if (mask.kind === 'flags' && cloud.kind === 'mask-file') {
    const { opaque, cirrus } = cloud;
    return planFlags(mask.asset, request.onlyOpaque ? opaque : [...opaque, ...cirrus], request.grid);
  }
  if (mask.kind === 'classes' && cloud.kind === 'classes') {
    const { opaque, cirrus } = cloud;
    return planBand(mask.band, { kind: 'classes', opaque, cirrus }, request);
  }
  if (mask.kind === 'quality' && cloud.kind === 'bits') {
    const { cloudBits, cirrusBits } = cloud;
    return planBand(mask.band, { kind: 'bits', cloudBits, cirrusBits }, request);
  }
  return null;
}

/** A band of the scene itself; quality bits come in the layout of the interface, whatever layout they are stored in. */
function planBand(
  band: string,
  meaning: CloudPixels['meaning'],
  { scene, sensor, grid }: Omit<CloudRequest, 'onlyOpaque'>,
): CloudPixels | null {
  if (!Object.hasOwn(scene.assets, band)) return null;
  const inputs = planInputs([{ band, scene: 'this', calibrated: false }], {
    scene,
    sensor,
    grid,
    calibrated: false,
    method: 'near',
  });
  return { kind: 'pixels', inputs, meaning };
}

function planFlags(asset: Asset, flags: readonly MaskFlag[], grid: Grid): CloudPixels {
  const warp = planWarp({ target: grid, source: asset, method: 'near' });
  const inputs = flags.map(
    ({ band: bandIndex }): InputPlan => ({
      ...toBandFile('clouds', asset),
      bandIndex,
      rule: 'plain',
      parameters: [],
      table: null,
      warp,
    }),
  );
  return { kind: 'pixels', inputs, meaning: { kind: 'flags', marks: flags.map(({ marks }) => marks) } };
}

/**
 * Polygons count for a pixel of the scene's finest band when its centre lies in them, and for a picture as that pixel does.
 * So clouds look the same as if a provider had made them pixels; and for a small picture the pixels may be coarser.
 */
function planPolygons(
  { href, epsg, stamp }: Extract<CloudMask, { kind: 'polygons' }>,
  { scene, grid, isExact = false }: CloudRequest,
): CloudOutlines | null {
  const finest = Object.values(scene.assets)
    .filter((asset) => asset.epsg === epsg && asset.proj === undefined && isUpright(asset))
    .reduce<Asset | null>((best, asset) => (best === null || asset.width > best.width ? asset : best), null);
  if (finest === null) return null;
  const { transform, width, height } = finest;
  const overviews = isExact ? [] : halve({ width, height });
  const source = { epsg, transform, width, height, overviews };
  const warp = planWarp({ target: grid, source, method: 'near' });
  return { kind: 'polygons', href, epsg, warp, ...(stamp === undefined ? {} : { stamp }) };
}

const isUpright = ({ transform: [, width, shear, , otherShear, height] }: Asset): boolean =>
  shear === 0 && otherShear === 0 && width > 0 && height < 0;

/** As small as a reduced copy gets: less than a tile of the map. */
const SMALLEST_PX = 128;

function halve({ width, height }: Size): Size[] {
  if (Math.max(width, height) <= SMALLEST_PX) return [];
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
  return [half, ...halve(half)];
}
