import { badInput } from '../../errors.ts';
import { MAX_COLORS } from '../color-plan.ts';
import type { WireColor } from '../parse-color.ts';
import { COLOR_FORMS, parseWireColor } from '../parse-color.ts';
import type { ColormapContent } from './colormap-content.ts';
import { takeStops } from './colormap-content.ts';

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
