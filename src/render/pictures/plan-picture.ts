import type { BandInput, TypedTree } from '../../bandmath/index.ts';
import type { SceneName } from '../../catalog/index.ts';
import type { ColormapCache, ColorOptions, ColorPlan, Stretch } from '../../color/index.ts';
import { isOfClasses, needsContrast, planColor } from '../../color/index.ts';
import type { AreaOutline, Grid } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { ContrastRange } from '../../numbers/index.ts';
import type { ResampleMethod } from '../../raster/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findAlias, findBand } from '../../sensors/index.ts';
import { estimateCover, planCloudCover } from '../clouds/plan-clouds.ts';
import { estimateLabels, planClusterColor } from '../clusters/find-clusters.ts';
import { unsupported } from '../errors.ts';
import { planStretches } from '../intensity/find-contrast.ts';
import { planSharpen } from '../pansharpening/plan-sharpen.ts';
import { planNaturalRanges, planNaturalScene } from '../plan/natural-color.ts';
import type { PlanExpressions, RenderLimits } from '../plan/plan-inputs.ts';
import {
  checkWork,
  DEFAULT_LIMITS,
  estimateBytes,
  planExpressions,
  planInputs,
  shownInput,
} from '../plan/plan-inputs.ts';
import type {
  CloudCover,
  ClusterPlan,
  ComparedScene,
  PictureArea,
  PictureFormat,
  PixelPlan,
  PlannedScene,
  RenderPlan,
} from '../plan/render-plan.ts';

/** How the caller wants the picture. */
export interface RenderOptions {
  readonly format: PictureFormat | 'auto';
  /** Null: nearest neighbours for classes and bits, bilinear for measures. */
  readonly method: ResampleMethod | null;
  /** Null: the scene's own contrast. */
  readonly range: ContrastRange | null;
  /** A range for each channel, of which `range` is the first; one for all when left out. */
  readonly ranges?: readonly ContrastRange[];
  /** Physical values between fixed bounds, the same in every scene, in place of `range`; not when left out. */
  readonly isNatural?: boolean;
  /** The fraction of the contrast is raised to 1 / gamma; that of natural colour, or 1, when left out. */
  readonly gamma?: number;
  /** Physical values before band math. */
  readonly calibrated: boolean;
  /** Three expressions are red, green and blue. */
  readonly isComposite: boolean;
  /** Channels are read and not shown: there may be more than three; not when left out. */
  readonly areValues?: boolean;
  /** The speckle of radar bands is filtered; not when left out. */
  readonly filtersSpeckle?: boolean;
  /** With the panchromatic band; not when left out. */
  readonly isSharpened?: boolean;
  readonly color: ColorOptions;
  /** Clouds are painted over; not when left out. */
  readonly clouds?: CloudCover;
  /** Classes of similar pixels are shown instead of values; not when left out. */
  readonly clusters?: ClusterPlan;
  /** What lies outside is transparent; null for all there is. */
  readonly area: PictureArea | null;
  /** A text that is written all over the picture; null for none. */
  readonly watermark: string | null;
  /** The colour that shows where the picture would be transparent, `0xrrggbb`; transparent when left out. */
  readonly background?: number;
}

/** A picture of one scene. */
export interface PictureRequest {
  readonly sensor: Sensor;
  /** Bands, aliases or band math, as in the address. */
  readonly bands: string;
  readonly grid: Grid;
  readonly options: RenderOptions;
}

/** Caches that outlive a plan, and the limits of pictures. */
interface PlanContext {
  readonly readExpressions?: PlanExpressions;
  /** At most all colormaps: a few hundred kilobytes. */
  readonly tables?: ColormapCache;
  readonly limits?: RenderLimits;
}

/** Decides everything about a picture without reading a pixel. Pure. */
export function planPicture(
  { sensor, bands, grid, options }: PictureRequest,
  given: ComparedScene,
  { readExpressions = planExpressions, tables, limits = DEFAULT_LIMITS }: PlanContext = {},
): RenderPlan {
  const { isComposite, format, watermark, gamma } = options;
  const tree = readExpressions({ bands, sensor, isComposite, areValues: options.areValues });
  checkWork(tree, grid, limits);
  checkRanges(options.ranges, tree);
  const { clusters, isNatural = false } = options;
  const { scene, calibrated } = isNatural
    ? planNaturalScene({ scene: given, sensor, tree })
    : { scene: given, calibrated: options.calibrated };
  const colors =
    clusters === undefined
      ? { color: planPictureColor({ ...options, calibrated, sensor, bands, tree, tables }) }
      : planClusterColor(clusters, options);
  const { color } = colors;
  const method = options.method ?? (isOfClasses(color) ? 'near' : null);
  const { filtersSpeckle = false } = options;
  const inputs = planInputs(tree.inputs, { scene, sensor, calibrated, filtersSpeckle, method, grid });
  const sharpen = options.isSharpened
    ? planSharpen({ scene, sensor, tree, inputs, color, calibrated, method, grid })
    : null;
  const pixels: PixelPlan = {
    viewId: scene.viewId,
    sceneVersion: scene.version,
    grid,
    inputs,
    tree,
    ...(sharpen === null ? {} : { sharpen }),
  };
  const clouds =
    options.clouds === undefined ? null : planCloudCover(options.clouds, { scene, sensor, grid });
  const areaBytes = options.area === null ? 0 : grid.width * grid.height;
  const cloudBytes = clouds === null ? 0 : estimateCover(clouds, grid);
  const clusterBytes = clusters === undefined ? 0 : estimateLabels(clusters, grid);
  const bytes = estimateBytes(pixels, cloudBytes + clusterBytes + areaBytes, limits);
  // Colours that say themselves where they begin and end leave nothing to measure.
  const stretches = needsContrast(color)
    ? planStretches({
        scene,
        sensor,
        tree,
        gamma,
        isMeasuredSharp: sharpen?.kind === 'composite',
        ...toRanges(),
      })
    : tree.outputs.map(() => ({ kind: 'fixed' as const, min: 0, max: 1 }));
  return {
    ...pixels,
    ...colors,
    stretches,
    area: options.area?.ref ?? null,
    watermark,
    ...(options.background === undefined ? {} : { background: options.background }),
    format,
    bytes,
    ...(clouds === null ? {} : { clouds }),
    ...(clusters === undefined ? {} : { clusters }),
  };

  function toRanges(): Pick<Parameters<typeof planStretches>[0], 'range' | 'ranges'> {
    if (isNatural)
      return { range: null, ranges: planNaturalRanges({ scene, sensor, bands, tree }, calibrated) };
    return { range: options.range, ranges: options.ranges };
  }
}

interface PictureColorRequest {
  readonly sensor: Sensor;
  readonly bands: string;
  readonly tree: TypedTree;
  readonly calibrated: boolean;
  readonly range: Stretch | null;
  /** The curve of a colormap over `range`. */
  readonly gamma?: number | undefined;
  readonly color: ColorOptions;
  /** Tables of colormaps, which take longer to make than to use; each is made anew without. */
  readonly tables?: ColormapCache | undefined;
}

/** Decides the colours of a picture; null for grey, or for three channels. */
function planPictureColor({
  sensor,
  bands,
  tree,
  calibrated,
  range,
  gamma,
  color,
  tables,
}: PictureColorRequest): ColorPlan | null {
  const shown = tree.outputs.length === 1 ? shownInput(tree, 0) : null;
  const band = shown === null ? null : (tree.inputs[shown] as BandInput).band;
  const hasBits = band !== null && band === sensor.quality?.band;
  const alias = findAlias(sensor, bands.trim());
  return planColor({
    ...color,
    minMax: range === null || gamma === undefined ? range : { ...range, gamma },
    channels: tree.outputs.length,
    hasBits,
    // What holds no measure is not calibrated either.
    hasWholeValues: !calibrated || (band !== null && findBand(sensor, band)?.kind === 'quality'),
    // A contrast in the request replaces the palette.
    defaultPalette: band === null || range !== null ? null : (sensor.palettes[band] ?? null),
    alias: alias?.kind === 'index' && range === null ? alias.name : null,
    cache: tables,
  });
}

function checkRanges(ranges: readonly ContrastRange[] | undefined, { outputs }: TypedTree): void {
  if (ranges === undefined || ranges.length === outputs.length) return;
  throw unsupported(
    'min-max-count',
    `MIN_MAX has ${ranges.length} ranges, and the picture ${outputs.length} channel${outputs.length === 1 ? '' : 's'}.`,
  );
}

/** A picture of a scene that is to be found first. */
export type ScenePictureRequest = PictureRequest & SceneName;

/** A picture that is planned and not drawn yet. */
export interface PlannedPicture extends PlannedScene {
  readonly etag: string;
  /** The outline of the plan's area. */
  readonly outline: AreaOutline | null;
  /** The request it was planned for: if files turn out to be replaced, it is planned again. */
  readonly request: ScenePictureRequest;
}

/** Plans a picture of a scene that was found. */
type PlanOfScene = (request: ScenePictureRequest, scene: ComparedScene) => PlannedPicture;

/** A plan takes some kilobytes; the screens of a few dozen people. */
const MOST_REMEMBERED = 2_048;

/**
 * Remembers the last plans: a plan is pure, and one that is asked for again (a tile that many look at, or that a client
 * asks about with If-None-Match) costs more than all else about its answer.
 */
export function rememberPlans(makePlan: PlanOfScene): PlanOfScene {
  const known = makeLru<PlannedPicture>({ name: 'plans', max: MOST_REMEMBERED });
  return (request, scene) => {
    const key = toRequestKey(request);
    if (key === null) return makePlan(request, scene);
    const { viewId, version, earlier } = scene;
    const name = JSON.stringify([viewId, version, earlier?.viewId, earlier?.version, key]);
    return known.remember(name, () => makePlan(request, scene));
  };
}

/** Outlines and custom tables of colours are too long to be compared: such a request is planned each time. */
function toRequestKey({ sensor, bands, grid, options }: PictureRequest): string | null {
  if (options.area !== null || options.color.colormap?.kind === 'custom') return null;
  return JSON.stringify([sensor.abbreviation, bands, grid, options]);
}
