/** What is asked of the server, from what the user has chosen. */
import type { Outline } from '../../scenes/footprint.ts';
import type { Scene } from '../../scenes/scene.ts';
import type { MeasureChoice, Preset, Thresholds } from '../../state/measure-state.ts';
import { OWN_PRESET } from '../../state/measure-state.ts';

/** The preset of a choice: the first by default; `null` for one's own index. */
export const choosePreset = (
  presets: readonly Preset[],
  { preset }: Pick<MeasureChoice, 'preset'>,
): Preset | null =>
  preset === OWN_PRESET ? null : (presets.find(({ id }) => id === preset) ?? presets[0] ?? null);

/** Whether two scenes are compared. */
export const isCompared = (preset: Preset | null, choice: Pick<MeasureChoice, 'isCompared'>): boolean =>
  preset === null ? choice.isCompared : preset.difference !== null;

interface OrderParts {
  readonly choice: MeasureChoice;
  readonly preset: Preset | null;
  readonly ground: Outline;
  readonly after: Scene;
  readonly before: Scene | null;
}

/** The body of the request; `null` where a scene to compare with is missing. */
export function toOrder({ choice, preset, ground, after, before }: OrderParts) {
  const compares = isCompared(preset, choice);
  if (compares && before === null) return null;
  return {
    geometry: ground,
    view_id: after.viewId,
    ...(compares && before !== null ? { before_view_id: before.viewId } : {}),
    ...(preset === null ? { expression: choice.index } : { preset: preset.id }),
    thresholds: choice.thresholds ?? preset?.thresholds ?? 'otsu',
    format: 'geojson',
  };
}

/** One more threshold, in the middle of the widest class between the ends of the histogram. */
export function addThreshold(
  thresholds: readonly number[],
  { min, max }: { readonly min: number; readonly max: number },
): readonly number[] {
  const inside = thresholds.filter((one) => one > min && one < max);
  const edges = [min, ...inside, max];
  const widths = edges.slice(1).map((edge, i) => edge - edges[i]!);
  const widest = widths.indexOf(Math.max(...widths));
  const middle = (edges[widest]! + edges[widest + 1]!) / 2;
  return [...thresholds, Number(middle.toPrecision(3))].toSorted((a, b) => a - b);
}

/** The thresholds with one moved, as far as its neighbours let it; `null` for what is not a number. */
export function moveThreshold(
  thresholds: readonly number[],
  at: number,
  value: number,
  step: number,
): Thresholds | null {
  if (!Number.isFinite(value)) return null;
  const low = at === 0 ? -Infinity : thresholds[at - 1]! + step;
  const high = at === thresholds.length - 1 ? Infinity : thresholds[at + 1]! - step;
  const moved = Math.min(high, Math.max(low, value));
  return thresholds.map((one, i) => (i === at ? Number(moved.toPrecision(6)) : one));
}

/** A step of the arrow keys: a hundredth of the histogram, as a round number. */
export const toStep = ({ min, max }: { readonly min: number; readonly max: number }): number =>
  10 ** Math.round(Math.log10((max - min) / 100));
