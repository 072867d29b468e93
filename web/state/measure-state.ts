/** Classes of values that are measured: what the user wants, and what has come. */
import { asNumber, asRecord, asText, isTexts } from '../scenes/read-json.ts';
import type { Scene } from '../scenes/scene.ts';
import type { ViewerSensor } from '../scenes/sensor.ts';
import type { Loading } from './series-state.ts';

/** Which of two scenes is subtracted from the other. */
type Difference = 'before-after' | 'after-before';

/** Where classes begin and end; `otsu` finds one threshold in the values. */
export type Thresholds = readonly number[] | 'otsu';

/** What people measure most, as the server knows it. */
export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly reference: string;
  readonly isRadar: boolean;
  readonly expressions: readonly string[];
  readonly difference: Difference | null;
  readonly thresholds: Thresholds;
  readonly classes: readonly {
    readonly label: string;
    readonly color: string;
    /** Whether the preset looks for it: it is drawn on the map, and added up. */
    readonly isSought: boolean;
  }[];
}

/** The preset of one's own index. */
export const OWN_PRESET = 'own';

/** What is to be measured; `null` stands for what suits best. */
export interface MeasureChoice {
  readonly preset: string | null;
  /** The index of one's own preset. */
  readonly index: string;
  /** Whether one's own preset compares two scenes. */
  readonly isCompared: boolean;
  readonly afterId: string | null;
  readonly beforeId: string | null;
  readonly thresholds: Thresholds | null;
}

/** A class as it was measured. */
export interface MeasuredClass {
  readonly number: number;
  readonly label: string | null;
  readonly color: string;
  readonly isSought: boolean;
  readonly from: number | null;
  readonly to: number | null;
  readonly hectares: number;
  readonly percent: number;
}

/** What came of an order. */
export interface Measured {
  readonly order: Readonly<Record<string, unknown>>;
  readonly preset: string;
  readonly expression: string;
  readonly unit: string | null;
  readonly dates: { readonly after: string; readonly before: string | null };
  readonly thresholds: readonly number[];
  readonly separability: number | null;
  readonly pixelM: number;
  readonly areaHectares: number;
  readonly clearPercent: number;
  readonly histogram: { readonly min: number; readonly max: number; readonly counts: readonly number[] };
  readonly classes: readonly MeasuredClass[];
  /** The answer as it came: the file to save, and what the map draws. */
  readonly geojson: string;
}

/** The state of measuring. */
export interface MeasureState {
  readonly presets: Loading<readonly Preset[]>;
  /** Scenes that the preset can be measured in and that show the ground, newest first. */
  readonly scenes: Loading<readonly Scene[]>;
  readonly choice: MeasureChoice;
  /** Whether classes were ordered, and are on the map as soon as they are there. */
  readonly isOn: boolean;
  readonly made: Loading<Measured>;
}

/** Nothing was measured. */
export const NO_MEASURE: MeasureState = {
  presets: { kind: 'idle' },
  scenes: { kind: 'idle' },
  choice: {
    preset: null,
    index: 'NDVI',
    isCompared: false,
    afterId: null,
    beforeId: null,
    thresholds: null,
  },
  isOn: false,
  made: { kind: 'idle' },
};

/** The classes that lie on the map. */
export const classesOnMap = ({ measure }: { readonly measure: MeasureState }): Measured | null =>
  measure.isOn && measure.made.kind === 'ready' ? measure.made.value : null;

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((one) => asNumber(one) !== null);

const COLOR = /^#[0-9a-f]{6}$/i;

function parsePreset(value: unknown): Preset | null {
  const fields = asRecord(value);
  const [id, title] = [asText(fields.id), asText(fields.title)];
  const { expressions, difference, thresholds, classes } = fields;
  if (id === null || title === null || !isTexts(expressions) || !Array.isArray(classes)) return null;
  if (thresholds !== 'otsu' && !isNumbers(thresholds)) return null;
  return {
    id,
    title,
    about: asText(fields.about) ?? '',
    reference: asText(fields.reference) ?? '',
    isRadar: fields.kind === 'radar',
    expressions,
    difference: difference === 'before-after' || difference === 'after-before' ? difference : null,
    thresholds,
    classes: classes.map((one: unknown) => {
      const { label, color, sought } = asRecord(one);
      const known = asText(color) ?? '';
      return {
        label: asText(label) ?? '',
        color: COLOR.test(known) ? known : '#888888',
        isSought: sought === true,
      };
    }),
  };
}

/** Reads `{presets: […]}`; one that cannot be read is left out. */
export const parsePresets = (body: unknown): readonly Preset[] => {
  const { presets } = asRecord(body);
  return Array.isArray(presets) ? presets.map(parsePreset).filter((preset) => preset !== null) : [];
};

/** Colours of classes that no preset names, from low to high. */
const RAMP = ['#440154', '#46327e', '#365c8d', '#277f8e', '#1fa187', '#4ac16d', '#a0da39', '#fde725'];

/** The colour of one of some classes. */
const toRampColor = (number: number, count: number): string =>
  RAMP[count <= 1 ? 0 : Math.round(((number - 1) / (count - 1)) * (RAMP.length - 1))] ?? '#888888';

/** Reads the answer of the server; `null` for one of another form. */
export function parseMeasured(
  text: string,
  { order, preset }: { readonly order: Measured['order']; readonly preset: Preset | null },
): Measured | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  const { features, thresholds, histogram, area, scenes, ...fields } = asRecord(body);
  const bars = asRecord(histogram);
  const [min, max] = [asNumber(bars.min), asNumber(bars.max)];
  if (!Array.isArray(features) || !isNumbers(thresholds) || !isNumbers(bars.counts)) return null;
  if (min === null || max === null || !Array.isArray(scenes)) return null;
  const dateOf = (isBefore: boolean): string | null =>
    asText(asRecord(scenes.find((scene: unknown) => asRecord(scene).before === isBefore)).date);
  const ground = asRecord(area);
  return {
    order,
    preset: preset?.id ?? OWN_PRESET,
    expression: asText(fields.expression) ?? '',
    unit: asText(fields.unit),
    dates: { after: dateOf(false) ?? '', before: dateOf(true) },
    thresholds,
    separability: asNumber(fields.separability),
    pixelM: asNumber(fields.pixel_m) ?? 0,
    areaHectares: asNumber(ground.hectares) ?? 0,
    clearPercent: asNumber(ground.clear_percent) ?? 0,
    histogram: { min, max, counts: bars.counts },
    classes: features.map((feature: unknown, i): MeasuredClass => {
      const one = asRecord(asRecord(feature).properties);
      const known = preset?.classes.length === features.length ? preset.classes[i] : undefined;
      return {
        number: i + 1,
        label: asText(one.label),
        color: known?.color ?? toRampColor(i + 1, features.length),
        isSought: known?.isSought ?? true,
        from: asNumber(one.from),
        to: asNumber(one.to),
        hectares: asNumber(one.hectares) ?? 0,
        percent: asNumber(one.percent) ?? 0,
      };
    }),
    geojson: text,
  };
}

/** The sensors that a preset can be measured with: of radar, or with one of its indices. */
export const sensorsOf = (
  sensors: readonly ViewerSensor[],
  { expressions }: Pick<Preset, 'expressions'>,
): readonly ViewerSensor[] =>
  sensors.filter(({ indices }) => indices.some(({ name }) => expressions.includes(name)));

/** The scenes of an order: those that were chosen, or the ones that suit best. */
export function planScenes(
  scenes: readonly Scene[],
  {
    choice: { afterId, beforeId },
    shownId,
    compares,
  }: {
    readonly choice: Pick<MeasureChoice, 'afterId' | 'beforeId'>;
    readonly shownId: string | null;
    readonly compares: boolean;
  },
): { readonly after: Scene | null; readonly before: Scene | null; readonly earlier: readonly Scene[] } {
  const find = (viewId: string | null): Scene | undefined => scenes.find((one) => one.viewId === viewId);
  const listEarlier = (than: Scene): readonly Scene[] => scenes.filter(({ date }) => date < than.date);
  const findAlike = (than: Scene): Scene | undefined =>
    listEarlier(than).find(({ sensor }) => sensor.dataset === than.sensor.dataset);
  // Scenes of two sensors differ even where nothing has changed.
  const newest = (compares ? scenes.find(findAlike) : undefined) ?? scenes[0] ?? null;
  const after = find(afterId) ?? find(shownId) ?? newest;
  const earlier = after === null ? [] : listEarlier(after);
  const alike = after === null ? undefined : findAlike(after);
  const before = earlier.find(({ viewId }) => viewId === beforeId) ?? alike ?? earlier[0] ?? null;
  return { after, before, earlier };
}
