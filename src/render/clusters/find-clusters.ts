import type { ColorOptions, ColorPlan } from '../../color/index.ts';
import { planColor } from '../../color/index.ts';
import type { AreaOutline, Size } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import { internal, unsupported } from '../errors.ts';
import type { RenderLimits } from '../plan/plan-inputs.ts';
import { estimatePlanes } from '../plan/plan-inputs.ts';
import type { ClusterPlan, PlannedScene, RenderPlan } from '../plan/render-plan.ts';
import { PIXELS_VERSION, toDigest } from '../plan/render-plan.ts';
import { planAreaSample, planSceneSample } from '../samples/plan-sample.ts';
import type { ClusterJobs, FitClustersJob, FittedClusters } from './fit-clusters.ts';

/** A planned picture and the area that it is cropped to. */
interface PlannedArea extends PlannedScene {
  readonly outline: AreaOutline | null;
}

/** Finds the classes of a picture; null if it shows none, or there is nothing to divide. */
type FindClusters = (planned: PlannedArea, ticket: Ticket) => Promise<FittedClusters | null>;

interface ClusterDeps {
  readonly pool: JobRunner<ClusterJobs>;
  readonly limits: RenderLimits;
}

/** Memory of the cache: all tiles of a view need the same classes. */
const MAX_CACHED_BYTES = 32 * 2 ** 20;

/** Twenty centres of three numbers. */
const MODEL_BYTES = 1_024;

/** In addition to the planes: masks of area, data, both and validity; sorted values with keys and sums; regions, sizes and neighbours. */
const FIT_BYTES = 1 + 1 + 1 + 1 + 4 + 8 + 12;
const SIEVE_BYTES = 5 * 4 + 3;

/**
 * Builds the finding of classes. They are fitted once, to the whole area or the whole scene and never to a tile, and
 * cached in memory: equal pixels give equal classes, so that every node finds the same ones.
 */
export function makeFindClusters({ pool, limits }: ClusterDeps): FindClusters {
  const cache = makeLru<FittedClusters | null>({
    max: MAX_CACHED_BYTES,
    sizeOf: (fitted) => MODEL_BYTES + (fitted?.zones?.labels.length ?? 0),
  });

  return async ({ plan, scene, outline }, ticket) => {
    if (plan.clusters === undefined) return null;
    const { count, minAreaM2 } = plan.clusters;
    const key = toKey(plan);
    return cache.rememberLater(key, async () => {
      const sample =
        outline === null
          ? planSceneSample(plan, scene, limits.sample)
          : planAreaSample(plan, { scene, outline, isWhole: minAreaM2 > 0 }, limits.sample);
      if (sample === null) return null;
      const { width, height } = sample.grid;
      const input: FitClustersJob = { sample, outline, count, minAreaM2 };
      const { output: fitted } = await pool.run('fit-clusters', input, {
        ...ticket,
        bytes: estimatePlanes(sample) + width * height * (FIT_BYTES + (minAreaM2 > 0 ? SIEVE_BYTES : 0)),
        singleFlightKey: `clusters ${key}`,
      });
      return fitted;
    });
  };
}

/** All that decides which pixels are divided, and into what. */
function toKey({ viewId, sceneVersion, tree, inputs, area, clusters }: RenderPlan): string {
  const rules = inputs.map(({ rule, parameters, bits, of, href }) => [rule, parameters, bits, of, href]);
  return toDigest(JSON.stringify([PIXELS_VERSION, viewId, sceneVersion, tree.key, rules, area, clusters]));
}

/** The colours of classes; plain JSON. */
interface ClassColorPlan {
  /** Of as many classes as were asked for, or of a palette. */
  readonly color: ColorPlan;
  /** Packed, of one class, of two, and so on: how many there are is known when they are found. Absent with a palette. */
  readonly classColors?: readonly string[];
}

/** What else is asked of a picture of classes. */
interface ClusteredOptions {
  readonly color: ColorOptions;
  readonly isSharpened?: boolean;
  /** Null without an area. */
  readonly area: object | null;
}

/** From low over middle to high: classes are ordered by their centres. */
const DEFAULT_COLORMAP = { kind: 'named', name: 'RdYlGn', isReversed: false } as const;

/**
 * The colours of classes from 1 on: a palette as it is, or a colormap's colours spread evenly over the classes, however
 * many there are. What colours values and not classes is refused.
 */
export function planClusterColor(clusters: ClusterPlan, options: ClusteredOptions): ClassColorPlan {
  refuseOptions(clusters, options);
  const { count } = clusters;
  const { palette, colormap = DEFAULT_COLORMAP, colorsLimit, colors, thresholds } = options.color;
  if (colorsLimit !== undefined || colors !== undefined || thresholds !== undefined) {
    throw unsupported(
      'colored-clusters',
      'CLUSTERING colours classes, by PALETTE or COLORMAP; COLORS, THRESHOLDS and COLORS_LIMIT cannot be combined with it.',
    );
  }
  const request = {
    minMax: null,
    channels: 1,
    hasBits: false,
    hasWholeValues: true,
    defaultPalette: null,
    alias: null,
  };
  if (palette !== undefined) return { color: planColor({ ...request, palette }) as ColorPlan };
  const classColors = Array.from({ length: count }, (_, i) => {
    // A colormap has at least two colours; for one class, the first.
    const plan = planColor({ ...request, colormap, colorsLimit: String(Math.max(2, i + 1)) });
    if (plan === null || plan.kind === 'values' || plan.kind === 'bits')
      throw internal('no-class-colors', 'A colormap was planned as something else.');
    return spreadColors(plan.colors, i + 1);
  });
  return { color: toValueColors(classColors, count), classColors };
}

const toValueColors = (classColors: readonly string[], count: number): ColorPlan => ({
  kind: 'values',
  values: Array.from({ length: count }, (_, i) => i + 1),
  colors: classColors[count - 1] ?? '',
});

/** The colours of a picture once its classes are known: a colormap goes from its first colour to its last over those found. */
export function toShownColor(
  { color, classColors }: { readonly color: ColorPlan | null; readonly classColors?: readonly string[] },
  fitted: FittedClusters | null,
): ColorPlan | null {
  if (classColors === undefined || fitted === null) return color;
  return toValueColors(classColors, fitted.model.centroids.length);
}

function refuseOptions({ minAreaM2 }: ClusterPlan, { isSharpened, area }: ClusteredOptions): void {
  if (isSharpened === true) {
    throw unsupported(
      'sharpened-clusters',
      'PANSHARPENING adds detail to a picture, which CLUSTERING would take for classes: ask for one of them.',
    );
  }
  // How large a patch is, only the whole of it says: a tile knows no more than a part.
  if (minAreaM2 > 0 && area === null) {
    throw unsupported('min-area-of-scene', 'MIN_AREA needs cropper_ref: patches are removed in an area.');
  }
}

/** Labels, and the mask that they are found with. */
const LABEL_BYTES = 1 + 1;

/** Zones on the grid of a picture as floats with a mask, and before as floats of all their pixels. */
const ZONE_BYTES = 4 + 1;
const MAX_ZONES_BYTES = 4 * 1_024 ** 2;

/** The memory of a picture's labels, in addition to its planes. */
export function estimateLabels(clusters: ClusterPlan, { width, height }: Size): number {
  const count = width * height;
  return count * LABEL_BYTES + (clusters.minAreaM2 > 0 ? count * ZONE_BYTES + MAX_ZONES_BYTES : 0);
}

const HEX_DIGITS = 6;

/** As many colours as there are classes, from the first of a list to its last: discrete maps have numbers of their own. */
function spreadColors(packed: string, count: number): string {
  const last = packed.length / HEX_DIGITS - 1;
  return Array.from({ length: count }, (_, i) => {
    const at = Math.round((i * last) / Math.max(1, count - 1)) * HEX_DIGITS;
    return packed.slice(at, at + HEX_DIGITS);
  }).join('');
}
