import type { Asset } from '../../catalog/index.ts';
import { unsupported } from '../../errors.ts';
import type { AreaOutline, Grid } from '../../geo/index.ts';
import { applyAffine, scaleAffine } from '../../geo/index.ts';
import { makePixelMapping } from '../../proj/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import type { ComparedScene } from '../earlier-scene.ts';
import type { PixelPlan } from '../plan.ts';
import { findAsset, makePlanRead } from '../plan-inputs.ts';
import { workPerPixel } from '../render-limits.ts';

/** As for a whole scene: more pixels make no better classes. */
const SAMPLE_SIDE_PX = 1_024;
/** Additions for a sample, about a quarter of a second: dear expressions are measured on fewer pixels. */
const SAMPLE_WORK = 2 ** 28;
/** Edges are straight in degrees and may bulge in the pixels of the scene, between their ends. */
const BULGE = 0.02;

/** The grid whose pixel positions are longitudes and latitudes themselves. */
const DEGREES: Grid = { epsg: 4326, transform: [0, 1, 0, 0, 0, 1], width: 1, height: 1 };

interface AreaSampleRequest {
  readonly scene: ComparedScene;
  readonly outline: AreaOutline;
  /** Whether every pixel of the scene in the area is needed; an area that has too many is refused. */
  readonly isWhole: boolean;
}

/**
 * Plans the part of a scene around an area, on the pixels of its finest band or on fewer; null when the area lies outside
 * of the scene.
 */
export function planAreaSample(
  { viewId, sceneVersion, inputs, tree }: PixelPlan,
  { scene, outline, isWhole }: AreaSampleRequest,
): PixelPlan | null {
  const assets = inputs.map(({ band, of }) =>
    findAsset(of === undefined ? scene : (scene.earlier ?? scene), band),
  );
  const [first, ...others] = assets as [Asset, ...Asset[]];
  const finest = others.reduce(
    (best, asset) => (asset.width * asset.height > best.width * best.height ? asset : best),
    first,
  );
  const window = findWindow(finest, outline);
  if (window === null) return null;
  const grid = toGrid(finest, window, Math.floor(SAMPLE_WORK / workPerPixel(tree)));
  if (isWhole && (grid.width < window.width || grid.height < window.height)) {
    throw unsupported(
      'area-too-large',
      `MIN_AREA takes areas of up to ${SAMPLE_SIDE_PX} pixels a side, fewer of dear expressions; this one has ${window.width} × ${window.height}.`,
    );
  }
  const planRead = makePlanRead(grid);
  return {
    ...{ viewId, sceneVersion, grid, tree },
    // Nearest neighbours: what is divided are values that occur.
    inputs: inputs.map((input, i) => ({
      ...input,
      warp: input.warp === null ? null : planRead(assets[i] as Asset, 'near'),
    })),
  };
}

/** The pixels of an image that hold an area. */
function findWindow(asset: Asset, outline: AreaOutline): PixelWindow | null {
  const { lattice: _, ...even } = asset;
  const { toSource } = makePixelMapping(DEGREES, even);
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < outline.length; i += 2) {
    const [col, row] = toSource(outline[i] as number, outline[i + 1] as number);
    if (Number.isNaN(col)) continue;
    [minX, maxX] = [Math.min(minX, col), Math.max(maxX, col)];
    [minY, maxY] = [Math.min(minY, row), Math.max(maxY, row)];
  }
  const spare = 1 + BULGE * Math.max(maxX - minX, maxY - minY);
  const [x, y] = [Math.max(0, Math.floor(minX - spare)), Math.max(0, Math.floor(minY - spare))];
  const width = Math.min(asset.width, Math.ceil(maxX + spare)) - x;
  const height = Math.min(asset.height, Math.ceil(maxY + spare)) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

function toGrid({ epsg, proj, transform }: Asset, window: PixelWindow, mostPx: number): Grid {
  const { x, y, width, height } = window;
  const [originX, originY] = applyAffine(transform, x, y);
  const [, xCol, xRow, , yCol, yRow] = transform;
  const sidePx = Math.min(SAMPLE_SIDE_PX, Math.sqrt(mostPx));
  const reduction = Math.max(1, Math.max(width, height) / sidePx);
  const size = {
    width: Math.max(1, Math.round(width / reduction)),
    height: Math.max(1, Math.round(height / reduction)),
  };
  return {
    ...{ epsg, ...size },
    ...(proj === undefined ? {} : { proj }),
    transform: scaleAffine([originX, xCol, xRow, originY, yCol, yRow], { width, height }, size),
  };
}
