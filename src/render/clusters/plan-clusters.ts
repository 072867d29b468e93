import type { ColorPlan } from '../../color/index.ts';
import { planColor } from '../../color/index.ts';
import { internal, unsupported } from '../../errors.ts';
import type { Size } from '../../geo/index.ts';
import type { ColorOptions } from '../colors/plan-color.ts';
import type { FittedClusters } from './fit-clusters.ts';

/** How a picture is divided into classes of like pixels. */
export interface ClusterPlan {
  /** At most; fewer different values give fewer. */
  readonly count: number;
  /** Smaller patches go to their largest neighbour; 0 keeps all. */
  readonly minAreaM2: number;
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
export function estimateLabels(clusters: ClusterPlan | undefined, { width, height }: Size): number {
  if (clusters === undefined) return 0;
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
