import type { BandCombination } from '../bandmath/index.ts';
import { parseBands } from '../bandmath/index.ts';
import type { Asset, Scene } from '../catalog/index.ts';
import { notFound, unsupported } from '../errors.ts';
import type { Grid, Tile } from '../geo/index.ts';
import { tileGrid } from '../geo/index.ts';
import type { ResampleMethod, WarpPlan } from '../raster/index.ts';
import { planWarp } from '../raster/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { findBand } from '../sensors/index.ts';
import type { ContrastRange } from '../stats/index.ts';
import type { ChannelPlan, LevelWindow, PictureFormat, RenderPlan, StretchPlan } from './plan.ts';

/** How the caller wants the picture; `range` null means the scene's own contrast. */
export interface RenderOptions {
  readonly format: PictureFormat | 'auto';
  readonly method: ResampleMethod;
  readonly range: ContrastRange | null;
}

/** A tile as it is asked for. */
export interface TileRequest {
  readonly sensor: Sensor;
  readonly viewId: string;
  /** The view id without its sensor: products have several names, of which the catalog's view id holds one. */
  readonly sceneName: string;
  readonly bands: string;
  readonly tile: Tile;
  readonly options: RenderOptions;
}

/** Pixel memory one render may be estimated to need (docs/operate.md, "Limits"). */
const MAX_RENDER_BYTES = 256 * 1024 * 1024;

/** Enough pixels for stable percentiles, few enough to be read in milliseconds. */
const CONTRAST_PIXELS = 512 * 512;

/** Decides everything about a tile without reading a pixel. Pure. */
export function planTile(request: Omit<TileRequest, 'sceneName'>, scene: Scene): RenderPlan {
  const { sensor, options } = request;
  const combination: BandCombination = parseBands(request.bands, {
    all: sensor.bands.map((band) => band.name),
    find: (spelling) => findBand(sensor, spelling)?.name ?? null,
  });
  const grid = tileGrid(request.tile);
  const planRead = makePlanRead(grid, options.method);
  const channels = combination.map((band) => planChannel({ band, scene, sensor, planRead, options }));
  const bytes = estimateBytes(channels, grid);
  if (bytes > MAX_RENDER_BYTES) {
    throw unsupported(
      'too-dear',
      `This picture would need ${Math.ceil(bytes / 2 ** 20)} MiB of pixels; 256 MiB is the limit.`,
    );
  }
  return {
    viewId: scene.viewId,
    sceneVersion: scene.version,
    grid,
    channels,
    format: options.format,
    bytes,
  };
}

type PlanRead = (asset: Asset) => WarpPlan | null;

/** Bands of one resolution lie on one grid, so what is found for the first of them holds for the others. */
function makePlanRead(target: Grid, method: ResampleMethod): PlanRead {
  const plans = new Map<string, WarpPlan | null>();
  return (asset) => {
    const { epsg, proj, transform, lattice, width, height, overviews } = asset;
    const key = JSON.stringify([epsg, proj, transform, lattice, width, height, overviews]);
    const known = plans.get(key);
    if (known !== undefined) return known;
    const plan = planWarp({ target, source: asset, method });
    plans.set(key, plan);
    return plan;
  };
}

interface ChannelRequest {
  readonly band: string;
  readonly scene: Scene;
  readonly sensor: Sensor;
  readonly planRead: PlanRead;
  readonly options: RenderOptions;
}

function planChannel({ band, scene, sensor, planRead, options }: ChannelRequest): ChannelPlan {
  const asset = Object.hasOwn(scene.assets, band) ? scene.assets[band] : undefined;
  if (asset === undefined)
    throw notFound('no-such-band-file', `This scene has no file for the band ${band}.`);
  return {
    band,
    href: asset.href,
    bandIndex: asset.bandIndex,
    nodata: asset.nodata,
    // The place is known from the catalog; of the files beside, only copies of the pixels are still needed.
    ...(asset.beside?.includes('.ovr') ? { beside: ['.ovr'] as const } : {}),
    // physical = stored * scale + offset = (stored + shift) * scale: offset-free numbers mean the same in all baselines.
    shift: sensor.removesOffset ? Math.round(asset.offset / asset.scale) : 0,
    warp: planRead(asset),
    stretch: planStretch(options.range, { asset, scene, sensor }),
    contrastRead: planContrastRead(asset),
  };
}

interface StretchedBand {
  readonly asset: Asset;
  readonly scene: Scene;
  readonly sensor: Sensor;
}

/** 2–98 % of the scene with cloud correction (interface 4.2); pictures of 8 bits, such as NAIP's, as they are. */
function planStretch(range: ContrastRange | null, { asset, scene, sensor }: StretchedBand): StretchPlan {
  if (range !== null) return { kind: 'fixed', ...range };
  if (sensor.defaultStretch === 'none' && asset.type === 'uint8') return { kind: 'fixed', min: 0, max: 255 };
  return { kind: 'percentile', lowPercent: 2, highPercent: 98, cloudPercent: scene.cloudPercent ?? 0 };
}

/** Of a file without smaller copies only the middle is looked at: all of a Sentinel-1 scene would take gigabytes. */
const CONTRAST_SIDE_PX = 3_000;

/** The coarsest copy of the band that still has enough pixels, whole or, where that is too large, its middle. */
function planContrastRead(asset: Asset): LevelWindow {
  const levels = [{ width: asset.width, height: asset.height }, ...asset.overviews];
  const level = Math.max(
    0,
    levels.findLastIndex(({ width, height }) => width * height >= CONTRAST_PIXELS),
  );
  const { width, height } = levels[level] as { width: number; height: number };
  const [x, columns] = middleOf(width);
  const [y, rows] = middleOf(height);
  return { level, window: { x, y, width: columns, height: rows } };
}

function middleOf(length: number): [first: number, count: number] {
  const count = Math.min(length, CONTRAST_SIDE_PX);
  return [Math.floor((length - count) / 2), count];
}

/**
 * A source pixel is held as float and mask; an output pixel as float and mask per channel, RGBA and encoded. Each channel
 * counts the work memory of its method: channels that are warped together share it, those of different masks do not.
 */
function estimateBytes(channels: readonly ChannelPlan[], grid: Grid): number {
  const source = channels.reduce(
    (sum, { warp }) =>
      sum + (warp === null ? 0 : warp.window.width * warp.window.height * 5 + warp.workBytes),
    0,
  );
  return source + grid.width * grid.height * (channels.length * 5 + 4 + 4);
}
