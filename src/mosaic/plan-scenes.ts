import { makePause } from '../async/index.ts';
import type { LinearScale, SceneHit } from '../catalog/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import { gridBounds, isPointInArea, LON_LAT_GRID, moveOrigin, toOutline } from '../geo/index.ts';
import { makePixelMapping } from '../proj/index.ts';
import type { WarpPlan } from '../raster/index.ts';
import type { PlannedPicture, Renderer, RenderOptions } from '../render/index.ts';
import type { CloudPlan, ComparedScene, Obscured, PixelPlan } from '../render/native/index.ts';
import { estimateClouds, estimatePlanes, planObscured } from '../render/native/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import type { MosaicScene } from './compose-job.ts';
import { internal, unsupported } from './errors.ts';
import type { Composition, MosaicPictureRequest } from './mosaic.ts';

/** A candidate with its position in the order of the mosaic. */
export interface Candidate {
  readonly index: number;
  readonly hit: SceneHit;
}

/** The pixels that are put together: those of a picture, and as many around them as masks and edges reach. */
export interface ComposedGrid {
  readonly grid: Grid;
  readonly padPx: number;
  readonly dilatePx: number;
}

/** A disc of this radius takes a thread about as long as the pixels themselves. */
const MAX_PAD_PX = 512;

/** Metres of a degree of latitude. */
const DEGREE_M = 111_320;

/** Decides how many pixels around a picture its masks and edges need. */
export function planComposedGrid(
  grid: Grid,
  { dilateM, featherPx }: Pick<Composition, 'dilateM' | 'featherPx'>,
): ComposedGrid {
  const dilatePx = dilateM === 0 ? 0 : Math.ceil(dilateM / pixelSizeM(grid));
  const padPx = dilatePx + featherPx;
  if (padPx > MAX_PAD_PX) {
    throw unsupported(
      'mosaic-too-expensive',
      `Masks and edges reach ${padPx} pixels beyond this picture, and may reach ${MAX_PAD_PX}: use a smaller dilate, or a lower zoom.`,
    );
  }
  if (padPx === 0) return { grid, padPx, dilatePx };
  const transform = moveOrigin(grid.transform, { x: -padPx, y: -padPx });
  const padded = { ...grid, transform, width: grid.width + 2 * padPx, height: grid.height + 2 * padPx };
  return { grid: padded, padPx, dilatePx };
}

/** The size of a pixel on the ground, in the middle of a grid. */
function pixelSizeM(grid: Grid): number {
  const [, width, , , , height] = grid.transform;
  const size = Math.sqrt(Math.abs(width * height));
  if (grid.epsg === 4326) return size * DEGREE_M;
  if (grid.epsg !== 3857) return size;
  const { minY, maxY } = gridBounds(grid);
  // Web Mercator stretches the ground by the secant of the latitude, which is the hyperbolic cosine of y.
  return size / Math.cosh((minY + maxY) / 2 / 6_378_137);
}

/** Nodes on a side of the grid at which footprints are looked up: which scenes are read first depends on them, and nothing else. */
const NODES = 9;
/** Scenes that are read in the first job. */
const FIRST_SCENES = 8;
/**
 * Scenes whose footprints are looked at for the first job. Beside a coast or an orbit's edge some ground lies in none of
 * them, and all scenes of ten years took the main thread 10 ms.
 */
const MAX_LOOKED_AT = 128;

/**
 * The scenes to read first: in their order, those whose footprints cover ground that the ones before do not, until all is
 * covered. What clouds leave empty is for later.
 */
export function chooseFirst(candidates: readonly Candidate[], grid: Grid): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const nodes = listNodes(grid);
  let open = nodes;
  const chosen: Candidate[] = [];
  for (const candidate of candidates.slice(0, MAX_LOOKED_AT)) {
    const left = open.filter((node) => !isPointInArea(node, candidate.hit.footprint));
    if (left.length === open.length) continue;
    chosen.push(candidate);
    open = left;
    if (open.length === 0 || chosen.length === FIRST_SCENES) break;
  }
  return chosen.length === 0 ? candidates.slice(0, 1) : chosen;
}

function listNodes(grid: Grid): readonly (readonly [number, number])[] {
  const { toSource } = makePixelMapping(grid, LON_LAT_GRID);
  const nodes: (readonly [number, number])[] = [];
  for (let row = 0; row < NODES; row += 1) {
    for (let col = 0; col < NODES; col += 1) {
      const [lon, lat] = toSource((col * grid.width) / (NODES - 1), (row * grid.height) / (NODES - 1));
      if (Number.isFinite(lon) && Number.isFinite(lat)) nodes.push([wrap(lon), lat]);
    }
  }
  return nodes;
}

const wrap = (lon: number): number => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);

/** A scene of a mosaic that is planned, with the memory that reading it takes. */
export interface PlannedScene {
  readonly scene: ComparedScene;
  readonly picture: PlannedPicture;
  readonly part: MosaicScene;
  readonly bytes: number;
}

/** Plans the scenes of a mosaic on its grid. */
export type PlanScene = (
  candidate: Candidate,
  request: MosaicPictureRequest,
  composed: ComposedGrid,
) => Promise<PlannedScene>;

/** Builds the planning of scenes. */
export function makePlanScene(renderer: Pick<Renderer, 'plan'>): PlanScene {
  const planMasks = makePlanMasks();
  return async ({ index, hit }, request, { grid }) => {
    const { selection, masked } = request.composition;
    // Positions of a large picture take the main thread some 5 ms, and those of its masks as long again.
    const pause = makePause();
    const sensor = sensorOf(hit);
    const name = { viewId: hit.viewId, sensor, sceneName: hit.viewId.slice(hit.viewId.indexOf('/') + 1) };
    const options: RenderOptions = { ...request.options, area: null, watermark: null };
    const picture = await renderer.plan({ ...name, bands: request.bands, grid, options });
    await pause();
    const by =
      selection.kind === 'highest' || selection.kind === 'lowest'
        ? await renderer.plan({ ...name, bands: selection.by, grid, options: toComparedOptions(options) })
        : null;
    if (by !== null && by.plan.tree.outputs.length !== 1)
      throw unsupported('different-channels', 'Scenes are compared by one expression, and not by several.');
    const { scene, plan } = picture;
    await pause();
    const masks = planMasks(picture, masked, { scene, sensor, grid });
    const maskBytes = masks.reduce((sum, mask) => sum + estimateClouds(mask, grid), 0);
    const compared = by === null ? null : toPixels(by.plan);
    return {
      scene,
      picture,
      part: {
        index,
        pixels: toPixels(plan),
        by: compared,
        masks,
        footprint: outlineOf(hit),
        units: null,
      },
      bytes: estimatePlanes(plan) + (compared === null ? 0 : estimatePlanes(compared)) + maskBytes,
    };
  };
}

type MaskRequest = Parameters<typeof planObscured>[1];

/** Plans masks once for each picture that the renderer remembers. */
function makePlanMasks() {
  const known = new WeakMap<PlannedPicture, Map<string, readonly CloudPlan[]>>();
  return (picture: PlannedPicture, masked: Obscured, request: MaskRequest): readonly CloudPlan[] => {
    const { clouds, cirrus, shadows } = masked;
    const key = `${clouds} ${cirrus} ${shadows}`;
    const plans = known.get(picture) ?? new Map<string, readonly CloudPlan[]>();
    known.set(picture, plans);
    const found = plans.get(key) ?? planObscured(masked, request);
    plans.set(key, found);
    return found;
  };
}

/** The warps of a scene's pixels and masks. */
export const listWarps = ({ pixels, by, masks }: MosaicScene): readonly (WarpPlan | null)[] => [
  ...[...pixels.inputs, ...(by?.inputs ?? [])].map(({ warp }) => warp),
  ...masks.flatMap(({ source }) =>
    source.kind === 'pixels' ? source.inputs.map(({ warp }) => warp) : [source.warp],
  ),
];

/**
 * Whether the pixels of a scene lie in the reference system of a grid, and are only moved or enlarged: then a pixel is the
 * same on any grid of the same lattice. Positions in other systems, and values that a filter or a table gives, depend on
 * their surroundings in the last digits.
 */
export function isUnwarped({ part }: PlannedScene, { epsg }: Grid): boolean {
  const inputs = [...part.pixels.inputs, ...(part.by?.inputs ?? [])];
  if (inputs.some(({ speckle, table }) => speckle !== undefined || table !== null)) return false;
  return listWarps(part).every(
    (warp) => warp === null || (warp.epsg === epsg && warp.proj == null && warp.lattice == null),
  );
}

const outlines = new WeakMap<SceneHit, AreaOutline>();

/** The footprint of a scene as threads need it: made once for all tiles that share a search. */
export function outlineOf(hit: SceneHit): AreaOutline {
  const known = outlines.get(hit);
  if (known !== undefined) return known;
  const outline = toOutline(hit.footprint);
  outlines.set(hit, outline);
  return outline;
}

/** The sensor of a scene. */
export function sensorOf({ dataset }: Pick<SceneHit, 'dataset'>): Sensor {
  const sensor = sensorByDataset(dataset);
  if (sensor === null) throw internal('no-sensor', `No sensor is known for ${dataset}.`);
  return sensor;
}

/** What is compared has neither colours nor contrast. */
const toComparedOptions = ({ method, calibrated }: RenderOptions): RenderOptions => ({
  format: 'png',
  method,
  range: { min: 0, max: 1 },
  calibrated,
  isComposite: false,
  color: {},
  area: null,
  watermark: null,
});

const toPixels = ({ viewId, sceneVersion, grid, inputs, tree }: PixelPlan): PixelPlan => ({
  viewId,
  sceneVersion,
  grid,
  inputs,
  tree,
});

/**
 * What brings the channels of a scene to the ranges of another one: natural colours have ranges of their own for each
 * sensor, and scenes meet in the fraction of the range. Null where they are alike.
 */
export function toUnits(
  own: PlannedPicture['plan'],
  front: PlannedPicture['plan'],
): readonly LinearScale[] | null {
  const units = own.stretches.map((stretch, i): LinearScale => {
    const target = front.stretches[i];
    if (stretch.kind !== 'fixed' || target?.kind !== 'fixed' || stretch.isDecibel === true) return SAME;
    const mult = (target.max - target.min) / (stretch.max - stretch.min);
    return { mult, add: target.min - stretch.min * mult };
  });
  return units.every(({ mult, add }) => mult === 1 && add === 0) ? null : units;
}

const SAME: LinearScale = { mult: 1, add: 0 };
