import type { Asset, CloudMask, Scene } from '../../catalog/index.ts';
import type { Grid, Size } from '../../geo/index.ts';
import { PLANE_BYTES, planWarp } from '../../raster/index.ts';
import type { MaskFlag, Sensor } from '../../sensors/index.ts';
import { unsupported } from '../errors.ts';
import { countRead, planInputs, toBandFile } from '../plan/plan-inputs.ts';
import type {
  CloudCover,
  CloudCoverPlan,
  CloudOutlines,
  CloudPixels,
  CloudPlan,
  CoverSource,
  InputPlan,
} from '../plan/render-plan.ts';

interface CloudRequest {
  readonly scene: Scene;
  readonly sensor: Sensor;
  readonly grid: Grid;
  /** Cirrus does not count; the default of the sensor if absent. */
  readonly onlyOpaque?: boolean;
  /** For numbers and not for pictures: polygons count for pixels of the finest band, however coarse the grid is. */
  readonly isExact?: boolean;
}

/** Decides where a grid's clouds are read from; null when scene or sensor say nothing of single pixels. Pure. */
export function planClouds(request: CloudRequest): CloudPlan | null {
  const { scene, sensor, onlyOpaque = isOpaqueByDefault(sensor) } = request;
  const source =
    scene.cloudMask === undefined ? null : planSource(scene.cloudMask, { ...request, onlyOpaque });
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

/** What hides the ground, and is left out of a mosaic. */
export interface Obscured {
  readonly clouds: boolean;
  readonly cirrus: boolean;
  readonly shadows: boolean;
}

/**
 * Decides where pixels that show no ground are read from: marks of several plans add up. Empty when scene or sensor say
 * nothing of single pixels. Pure.
 */
export function planObscured(
  { clouds, cirrus, shadows }: Obscured,
  request: Pick<CloudRequest, 'scene' | 'sensor' | 'grid'>,
): readonly CloudPlan[] {
  const { cloud } = request.sensor;
  // All classes are in one band, which is then read once.
  if (cloud.kind === 'classes') {
    const classes = [
      ...(clouds ? cloud.opaque : []),
      ...(cirrus ? cloud.cirrus : []),
      ...(shadows ? cloud.shadow : []),
    ];
    if (classes.length === 0) return [];
    return listPlans([planClasses({ band: cloud.band, classes }, request)]);
  }
  return listPlans([
    clouds || cirrus ? planClouds({ ...request, onlyOpaque: !cirrus }) : null,
    shadows ? planShadows(request) : null,
  ]);
}

const listPlans = (plans: readonly (CloudPlan | null)[]): readonly CloudPlan[] =>
  plans.filter((plan) => plan !== null);

/** Shadows by bits of a quality band, or by flags of a mask file. */
function planShadows({
  scene,
  sensor,
  grid,
}: Pick<CloudRequest, 'scene' | 'sensor' | 'grid'>): CloudPlan | null {
  const { cloud } = sensor;
  const { cloudMask } = scene;
  if (cloudMask?.kind === 'flags' && cloud.kind === 'mask-file' && cloud.shadow.length > 0)
    return { source: planFlags(cloudMask.asset, cloud.shadow, grid), onlyOpaque: false };
  if (cloudMask?.kind !== 'quality' || cloud.kind !== 'bits') return null;
  const { shadowBits } = cloud;
  const meaning = { kind: 'bits', cloudBits: shadowBits, cirrusBits: shadowBits } as const;
  const source = planBand(cloudMask.band, meaning, { scene, sensor, grid });
  return source === null ? null : { source, onlyOpaque: false };
}

function planSource(
  mask: CloudMask,
  request: CloudRequest & { readonly onlyOpaque: boolean },
): CloudPlan['source'] | null {
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
  const finest = findFinest(scene, epsg);
  if (finest === null) return null;
  const { transform, width, height } = finest;
  const overviews = isExact ? [] : halve({ width, height });
  const source = { epsg, transform, width, height, overviews };
  const warp = planWarp({ target: grid, source, method: 'near' });
  return { kind: 'polygons', href, epsg, warp, ...(stamp === undefined ? {} : { stamp }) };
}

/** The image whose pixels polygons in this reference system are rasterised on. */
const findFinest = ({ assets }: Scene, epsg: number): Asset | null =>
  Object.values(assets)
    .filter((asset) => asset.epsg === epsg && asset.proj === undefined && isUpright(asset))
    .reduce<Asset | null>((best, asset) => (best === null || asset.width > best.width ? asset : best), null);

/** The image whose pixels say where clouds are; null when scene or sensor say nothing of single pixels. Pure. */
export function findMaskImage(scene: Scene, { cloud }: Sensor): Asset | null {
  const { assets, cloudMask } = scene;
  if (cloudMask?.kind === 'polygons' && cloud.kind === 'mask-file') return findFinest(scene, cloudMask.epsg);
  if (cloudMask?.kind === 'flags' && cloud.kind === 'mask-file') return cloudMask.asset;
  const isBand =
    (cloudMask?.kind === 'classes' && cloud.kind === 'classes') ||
    (cloudMask?.kind === 'quality' && cloud.kind === 'bits');
  return isBand && Object.hasOwn(assets, cloudMask.band) ? (assets[cloudMask.band] ?? null) : null;
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

/** A polygon file of some megabytes as text, and as edges of which one feature after the other is made. */
const POLYGONS_BYTES = 16 * 2 ** 20;

/** The memory of reading clouds: windows of the mask, the same on the grid, and a byte a pixel for the marks. */
export function estimateClouds({ source }: CloudPlan, { width, height }: Size): number {
  const warps = source.kind === 'polygons' ? [source.warp] : source.inputs.map(({ warp }) => warp);
  const windows = warps.reduce((sum, warp) => {
    if (warp === null) return sum;
    return sum + countRead(warp) * PLANE_BYTES + warp.workBytes;
  }, 0);
  const parsed = source.kind === 'polygons' ? POLYGONS_BYTES : 0;
  return windows + parsed + width * height * (warps.length * PLANE_BYTES + 1);
}

/**
 * Plans what is painted over a picture: the clouds that count by default for the sensor, or all that hides the ground.
 * Refuses where their positions are unknown.
 */
export function planCloudCover(
  { color, withShadows }: CloudCover,
  { scene, sensor, grid }: Pick<CloudRequest, 'scene' | 'sensor' | 'grid'>,
): CloudCoverPlan {
  const request = { scene, sensor, grid };
  const plans =
    withShadows === true
      ? planObscured({ clouds: true, cirrus: true, shadows: true }, request)
      : listPlans([planClouds(request)]);
  if (plans.length === 0) throw unsupported('no-cloud-mask', toReason(sensor));
  return { color, plans };
}

function toReason({ title, cloud }: Sensor): string {
  switch (cloud.kind) {
    case 'none':
      return `There are no clouds to be masked in pictures of ${title}: ${cloud.why}`;
    case 'masked':
      return `There are no clouds to be masked in pictures of ${title}: they are transparent already.`;
    case 'scene-percent':
      return `Of ${title} only the cloud cover of whole scenes is known, not where the clouds are.`;
    default:
      return 'This scene comes without a cloud mask.';
  }
}

/** Memory of covering a picture: reading the clouds, and a byte a pixel each for the scene's data and the picture's area. */
export const estimateCover = ({ plans }: CloudCoverPlan, grid: Grid): number =>
  plans.reduce((sum, plan) => sum + estimateClouds(plan, grid), 0) + 2 * grid.width * grid.height;

interface CoverSourceRequest {
  readonly scene: Scene;
  readonly sensor: Sensor;
  /** Neither bounds nor an area narrow what is looked at. */
  readonly isWhole: boolean;
  readonly onlyOpaque: boolean;
}

/** Cirrus does not count by default where a mask tells it apart from clouds. */
export const isOpaqueByDefault = ({ cloud }: Sensor): boolean =>
  'onlyOpaqueByDefault' in cloud && cloud.onlyOpaqueByDefault;

/** Where the clouds of a whole scene are known from if the caller does not say which of them count. */
export const chooseDefaultCover = (scene: Scene, sensor: Sensor): CoverSource =>
  chooseCoverSource({ scene, sensor, isWhole: true, onlyOpaque: isOpaqueByDefault(sensor) });

const UNKNOWN: CoverSource = { kind: 'unknown' };

/**
 * The table of docs/use/clouds.md. The percentage of a scene's metadata counts clouds of all kinds and the whole scene, so it
 * stands for nothing else; where a scene comes without a mask, it is all there is for the whole scene.
 */
export function chooseCoverSource({ scene, sensor, isWhole, onlyOpaque }: CoverSourceRequest): CoverSource {
  const { cloud } = sensor;
  if (cloud.kind === 'none') return UNKNOWN;
  if (cloud.kind === 'masked') return { kind: 'known', percent: 0, isCorrection: false };
  // Below 0 means "not computed", and so does no number at all.
  const stated: CoverSource = {
    kind: 'known',
    percent: Math.max(0, scene.cloudPercent ?? 0),
    isCorrection: true,
  };
  if (cloud.kind === 'scene-percent') return isWhole ? stated : UNKNOWN;
  if (isWhole && !onlyOpaque && scene.cloudPercent !== null) return stated;
  if (scene.cloudMask !== undefined) return { kind: 'pixels', onlyOpaque };
  return isWhole && scene.cloudPercent !== null ? stated : UNKNOWN;
}
