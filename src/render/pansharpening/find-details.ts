import type { Asset, Scene } from '../../catalog/index.ts';
import type { Grid } from '../../geo/index.ts';
import type { ContrastRange } from '../../numbers/index.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { parseViewId } from '../../sensors/index.ts';
import { internal } from '../errors.ts';
import { estimatePlanes, findAsset, makePlanRead } from '../plan/plan-inputs.ts';
import type { InputPlan, PixelPlan, PlannedScene, RenderPlan } from '../plan/render-plan.ts';
import { PIXELS_VERSION, toDigest } from '../plan/render-plan.ts';
import { toWindowGrid } from '../samples/sample-grid.ts';
import type { IndexDetail } from './pansharpen.ts';
import { findBandWarp, planLow } from './plan-sharpen.ts';
import type { DetailJob, DetailJobs } from './sharpen-channels.ts';

/** Where measured ranges are looked up. */
interface RangeStore {
  find(key: string): Promise<ContrastRange | null>;
}

interface DetailDeps {
  readonly store: RangeStore;
  readonly pool: JobRunner<DetailJobs>;
  /** Stores a range; a failing store does not fail the caller. */
  readonly remember: (key: string, range: ContrastRange) => void;
}

/** By index of the channel; undefined where nothing is added to it. */
type FindDetails = (planned: PlannedScene, ticket: Ticket) => Promise<readonly (IndexDetail | undefined)[]>;

/** Builds the finding of detail. It is measured once for a scene and an expression, and stored with its contrasts. */
export function makeFindDetails({ store, pool, remember }: DetailDeps): FindDetails {
  return async ({ plan, scene }, ticket) => {
    const { sharpen } = plan;
    // Without the panchromatic band nothing is shown here, so nothing needs to be known.
    if (sharpen?.kind !== 'pixelwise' || sharpen.low === null) return [];
    const isComputed = sharpen.channels.map(({ kind }) => kind === 'computed');
    if (!isComputed.includes(true)) return [];
    const keys = isComputed.map((_, channel) => `${toKey(plan)} ${channel}`);
    const known = await Promise.all(keys.map((key) => findOne(store, key)));
    const details = known.every((detail) => detail !== null)
      ? known
      : await measure(plan, keys, { scene, ticket });
    return details.map((detail, channel) => (isComputed[channel] ? detail : undefined));
  };

  async function measure(
    plan: RenderPlan,
    keys: readonly string[],
    { scene, ticket }: Pick<PlannedScene, 'scene'> & { readonly ticket: Ticket },
  ): Promise<readonly IndexDetail[]> {
    const samples = planDetailSamples(plan, scene);
    const input: DetailJob = { samples, channelCount: keys.length };
    const { output } = await pool.run('index-detail', input, {
      ...ticket,
      bytes: Math.max(0, ...samples.map(estimatePlanes)),
      singleFlightKey: keys.join(),
    });
    for (const [i, { amount, min, max }] of output.entries()) {
      remember(`${keys[i]} amount`, { min: 0, max: amount });
      remember(`${keys[i]} range`, { min, max });
    }
    return output;
  }
}

/** Stored as two ranges: from zero to the amount, and the values themselves. */
async function findOne(store: RangeStore, key: string): Promise<IndexDetail | null> {
  const [amount, range] = await Promise.all([store.find(`${key} amount`), store.find(`${key} range`)]);
  return amount === null || range === null ? null : { amount: amount.max, ...range };
}

/** All that decides detail: the scene, the expressions, and how their inputs are calibrated and resampled. */
function toKey({ viewId, sceneVersion, tree, inputs, sharpen }: RenderPlan): string {
  const used = [...inputs, ...(sharpen === undefined ? [] : [sharpen.pan])];
  const rules = used.map(({ band, rule, parameters, warp }) => [band, rule, parameters, warp?.method]);
  const name = toDigest(JSON.stringify([tree.key, rules]));
  return [PIXELS_VERSION, viewId, sceneVersion, 'detail', name].join(' ');
}

/** Samples along each side of a scene: sixteen are stable to a few percent of the spread, and read in milliseconds. */
const SAMPLES = 4;

/** Side of a sample in panchromatic pixels; it then lies in one or two blocks of a file. */
const SIDE_PX = 128;

/**
 * Plans the samples that say how the channels of a sharpened picture take on detail: chosen by the scene, never by the
 * tile, and at full resolution, since an overview has no detail left.
 */
export function planDetailSamples(plan: PixelPlan, scene: Scene): readonly PixelPlan[] {
  const { sharpen } = plan;
  if (sharpen?.kind !== 'pixelwise') return [];
  const panAsset = findAsset(scene, sharpen.pan.band);
  const { sensor } = parseViewId(scene.viewId);
  return toGrids(panAsset).flatMap((grid) => planSample(plan, { scene, sensor, panAsset, grid }) ?? []);
}

interface SampleRequest {
  readonly scene: Scene;
  readonly sensor: Sensor;
  readonly panAsset: Asset;
  readonly grid: Grid;
}

/** The same picture on the grid of a sample; null if there is nothing to show. */
function planSample(plan: PixelPlan, { scene, sensor, panAsset, grid }: SampleRequest): PixelPlan | null {
  const { sharpen, viewId, sceneVersion, tree } = plan;
  const facts = sensor.pansharpening;
  if (sharpen?.kind !== 'pixelwise' || facts === null) {
    throw internal('no-pan', 'Only pictures that are sharpened have detail to be measured.');
  }
  const planRead = makePlanRead(grid);
  const replan = (input: InputPlan, asset: Asset): InputPlan => ({
    ...input,
    warp: input.warp === null ? null : planRead(asset, input.warp.method),
  });
  const inputs = plan.inputs.map((input) => replan(input, findAsset(scene, input.band)));
  const bandWarp = findBandWarp(inputs, facts);
  if (bandWarp === null || inputs.some(({ warp }) => warp === null)) return null;
  const planned = planLow({ pan: replan(sharpen.pan, panAsset), panAsset, bandWarp });
  if (planned === null || planned.low === null) return null;
  return { viewId, sceneVersion, tree, grid, inputs, sharpen: { ...sharpen, ...planned } };
}

/** Squares in the middles of equal parts of the image. */
function toGrids(asset: Asset): readonly Grid[] {
  const size = { width: toSide(asset.width), height: toSide(asset.height) };
  const cornersOf = (length: number, side: number): readonly number[] =>
    Array.from({ length: SAMPLES }, (_, i) =>
      Math.max(0, Math.floor(((i + 0.5) * length) / SAMPLES - side / 2)),
    );
  return cornersOf(asset.height, size.height).flatMap((y) =>
    cornersOf(asset.width, size.width).map((x) => toWindowGrid(asset, { x, y, ...size }, size)),
  );
}

/** Small images are sampled whole, no pixel twice. */
const toSide = (lengthPx: number): number => Math.min(SIDE_PX, Math.max(1, Math.floor(lengthPx / SAMPLES)));
