import type { ColorPlan } from '../../color/index.ts';
import { planColor } from '../../color/index.ts';
import { unsupported } from '../../errors.ts';
import type { Size } from '../../geo/index.ts';
import type { ColorOptions } from '../plan-color.ts';

/** How a picture is divided into classes of like pixels. */
export interface ClusterPlan {
  /** At most; fewer different values give fewer. */
  readonly count: number;
  /** Smaller patches go to their largest neighbour; 0 keeps all. */
  readonly minAreaM2: number;
}

/** What else is asked of a picture of classes. */
interface ClusteredOptions {
  readonly color: ColorOptions;
  readonly isSharpened?: boolean;
  /** Null without an area. */
  readonly area: object | null;
}

/** From low over middle to high: classes are ordered by their centres. */
const USUAL_COLORMAP = { kind: 'named', name: 'RdYlGn', isReversed: false } as const;

/**
 * The colours of classes 1 to `count`: a palette as it is, or a colormap's colours spread evenly over the classes. What
 * colours values and not classes is refused.
 */
export function planClusterColor(clusters: ClusterPlan, options: ClusteredOptions): ColorPlan {
  refuseOptions(clusters, options);
  const { count } = clusters;
  const { palette, colormap = USUAL_COLORMAP, colorsLimit, colors, thresholds } = options.color;
  if (colorsLimit !== undefined || colors !== undefined || thresholds !== undefined) {
    throw unsupported(
      'colored-clusters',
      'CLUSTERING colours classes, by PALETTE or COLORMAP; COLORS, THRESHOLDS and COLORS_LIMIT have no meaning beside it.',
    );
  }
  const plan = planColor({
    ...(palette === undefined ? { colormap, colorsLimit: String(count) } : { palette }),
    ...{ minMax: null, channels: 1, hasBits: false, hasWholeValues: true, defaultPalette: null, alias: null },
  });
  if (plan === null || plan.kind === 'values') return plan as ColorPlan;
  const values = Array.from({ length: count }, (_, i) => i + 1);
  return { kind: 'values', values, colors: spreadColors(plan.colors, count) };
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
    throw unsupported(
      'min-area-of-scene',
      'MIN_AREA needs cropper_ref beside it: patches are removed in an area.',
    );
  }
}

/** Labels, and the mask that they are found with. */
const LABEL_BYTES = 1 + 1;
/** Zones on the grid of a picture as floats with a mask, and before as floats of all their pixels. */
const ZONE_BYTES = 4 + 1;
const MAX_ZONES_BYTES = 4 * 1_024 ** 2;

/** The memory of a picture's labels beside its planes. */
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
    const at = Math.round((i * last) / (count - 1)) * HEX_DIGITS;
    return packed.slice(at, at + HEX_DIGITS);
  }).join('');
}
