import { createHash } from 'node:crypto';
import { MAX_COLORS } from './color-plan.ts';
import { badInput } from './errors.ts';
import type { PackedColors, WireColor } from './rgb.ts';
import { COLOR_FORMS, parseWireColor, toHexList } from './rgb.ts';

/** The content of a custom colormap, valid and normalized; stored as it is, under its id. */
export interface ColormapContent {
  /** Only colours, or each with its position. */
  readonly colors: readonly WireColor[] | readonly (readonly [position: number, color: WireColor])[];
  readonly type: 'continuous' | 'discrete';
  readonly thresholds_type: 'relative' | 'absolute';
  readonly labels?: readonly string[];
}

/** The answer to a read of a custom colormap. */
export interface ColormapAnswer extends ColormapContent {
  readonly colors_quantity: number;
}

/** 32 hexadecimal digits from the content: a colormap created twice has one id. */
export const toColormapId = ({ colors, type, thresholds_type, labels }: ColormapContent): string =>
  createHash('sha256')
    .update(JSON.stringify([colors, type, thresholds_type, labels ?? null]))
    .digest('hex')
    .slice(0, 32);

/** What a read of the colormap answers. */
export const toColormapAnswer = (content: ColormapContent): ColormapAnswer => ({
  ...content,
  colors_quantity: content.colors.length,
});

/** The position of each colour, or null when the colours have none. */
export function takeStops({ colors }: ColormapContent): readonly (readonly [number, WireColor])[] | null {
  return colors.every(isStop) ? colors : null;
}

/** Colours without their positions. */
export const takeColors = ({ colors }: ColormapContent): readonly WireColor[] =>
  colors.map((color) => (isStop(color) ? color[1] : color));

/** A colour has three numbers, a stop a number and a colour. */
const isStop = (entry: ColormapContent['colors'][number]): entry is readonly [number, WireColor] =>
  Array.isArray(entry) && entry.length === 2;

const LONGEST_LABEL = 200;

/** Parses the body that creates a custom colormap. Unknown fields are ignored. */
export function parseColormap(body: unknown): ColormapContent {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refuse('The body must be a JSON object with the field "colors".');
  }
  const fields = body as Readonly<Record<string, unknown>>;
  const type = choose(fields, 'type', ['continuous', 'discrete']);
  const thresholds_type = choose(fields, 'thresholds_type', ['relative', 'absolute']);
  const colors = parseColors(fields.colors);
  const content: ColormapContent = { colors, type, thresholds_type };
  if (type === 'continuous' && colors.length < 2) {
    throw refuse('A continuous colormap needs two or more "colors".');
  }
  checkPositions(content);
  const labels = parseLabels(fields.labels, content);
  return labels === null ? content : { ...content, labels };
}

const refuse = (sentence: string) => badInput('bad-colormap', sentence);

/** One of two words; the first by default. */
function choose<First extends string, Second extends string>(
  fields: Readonly<Record<string, unknown>>,
  name: string,
  choices: readonly [First, Second],
): First | Second {
  const value = fields[name] ?? choices[0];
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw refuse(`"${name}" must be "${choices[0]}" or "${choices[1]}".`);
  return found;
}

function parseColors(list: unknown): ColormapContent['colors'] {
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_COLORS) {
    throw refuse(`"colors" must be a list of 1 to ${MAX_COLORS} colours.`);
  }
  // A list of two is always a position and a colour: a colour has three numbers.
  const isStop = (entry: unknown): entry is [unknown, unknown] => Array.isArray(entry) && entry.length === 2;
  if (!list.some(isStop)) return list.map((entry, i) => parseColor(entry, i));
  if (!list.every(isStop)) throw refuse('Either all "colors" have positions or none has.');
  return list.map(([position, color], i) => {
    if (typeof position !== 'number' || !Number.isFinite(position)) {
      throw refuse(`The position of colour ${i + 1} in "colors" must be a number.`);
    }
    return [position, parseColor(color, i)] as const;
  });
}

function parseColor(entry: unknown, index: number): WireColor {
  const color = parseWireColor(entry);
  if (color === null) throw refuse(`Colour ${index + 1} in "colors" must be ${COLOR_FORMS}.`);
  return color;
}

function checkPositions(content: ColormapContent): void {
  const positions = takeStops(content)?.map(([position]) => position);
  const isRelative = content.thresholds_type === 'relative';
  if (positions === undefined) {
    if (!isRelative) throw refuse('With "thresholds_type" "absolute" all "colors" need positions.');
    return;
  }
  if (positions.some((position, i) => i > 0 && position < positions[i - 1]!)) {
    throw refuse('Positions in "colors" must not decrease.');
  }
  const [first, last] = [positions[0]!, positions.at(-1)!];
  if (isRelative && (first !== 0 || last !== 1)) {
    throw refuse('Relative positions in "colors" must begin with 0 and end with 1.');
  }
  // Data are float32: positions that round to one number leave no room for colours.
  if (positions.length > 1 && Math.fround(first) >= Math.fround(last)) {
    throw refuse('The last position in "colors" must be above the first.');
  }
  if (!(Number.isFinite(Math.fround(first)) && Number.isFinite(Math.fround(last)))) {
    throw refuse('Positions in "colors" must be between -3.4e38 and 3.4e38.');
  }
}

function parseLabels(labels: unknown, { type, colors }: ColormapContent): readonly string[] | null {
  if (labels === undefined || labels === null) return null;
  if (type !== 'discrete') throw refuse('"labels" belong to discrete colormaps only.');
  const isLabel = (label: unknown): label is string =>
    typeof label === 'string' && label.length <= LONGEST_LABEL;
  if (!Array.isArray(labels) || labels.length !== colors.length || !labels.every(isLabel)) {
    throw refuse(
      `"labels" must be as many texts as there are colours (${colors.length}), of up to ${LONGEST_LABEL} characters.`,
    );
  }
  return labels;
}

/** Reds to greens for NDVI in steps of 0.05: the first for all below 0.05, the last from 0.95. */
export const NDVI_COLORS: PackedColors =
  'ad0028c5142ae02d2cef4c3afe6c4aff8d5affab69ffc67dffe093ffefab' +
  'fdfec2eaf7acd5ef94b9e3839bd87377ca6f53bd6b14aa60009755007e47';

const NDMI_COLORS: PackedColors =
  'af998cb49e95baa49ebfaaa8c5b0b2cbb6bcd0bbc5d6c1cfcbb9d2baadd3' +
  'a8a0d59894d68788d7767bd8646ed95362da4356db3249dc213ddd0f30de';

const MSAVI_COLORS: PackedColors =
  'ad0028fe6c4aff8d5affab69ffc67dffe093ffefabfdfec2eaf7acd5ef94' +
  'b9e3839bd87377ca6f53bd6b14aa60009755007e4700673a005530004728';

const RECI_COLORS: PackedColors =
  'a50026bc1626d62f26e54d34f46d43f88e52fcac60fdc675fee08bfeefa5' +
  'fefebdecf7a5d9ef8bbfe37aa4d86984ca6666bd633faa5919974f0c7e42';

/** Classes of equal width between two values; the last is open-ended, as in published lists. */
function toClasses(packed: PackedColors, min: number, max: number): ColormapContent {
  const colors = toHexList(packed);
  const stops = colors.map((color, i) => [at(min, max, i / colors.length), color] as const);
  return { colors: [...stops, [max, colors.at(-1)!]], type: 'discrete', thresholds_type: 'absolute' };
}

/** Without the noise of binary fractions: 0.15, not 0.15000000000000002. */
const at = (min: number, max: number, part: number): number =>
  Math.round((min + (max - min) * part) * 1e6) / 1e6;

/** Custom colormaps whose ids are hard-coded in clients: they exist from the start. */
const presets: ReadonlyMap<string, ColormapContent> = new Map([
  ['a9bc6eceeef2a13bb88a7f641dca3aa0', lowerFirst(toClasses(NDVI_COLORS, 0, 1))],
  // Not published; clients use it for NDVI with MIN_MAX=0,1.
  ['2b0040e4100279573a41138c8a30c1f2', toClasses(NDVI_COLORS, 0, 1)],
  ['a53f2c53d3cbc1d424c35ac8dc883644', toClasses(NDMI_COLORS, -1, 1)],
  ['5792d8fc39a4598f8a2c67b300982076', toClasses(MSAVI_COLORS, -1, 1)],
  ['fb5d32c26f571d52ea663a4a8f1e38e0', toClasses(RECI_COLORS, 0, 10)],
]);

/** NDVI begins at -1. */
function lowerFirst(content: ColormapContent): ColormapContent {
  const [first, ...others] = content.colors as readonly (readonly [number, string])[];
  return { ...content, colors: [[-1, first![1]], ...others] };
}

/** The preset of an id, or null. */
export const findPreset = (id: string): ColormapContent | null => presets.get(id) ?? null;
