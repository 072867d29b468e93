/** Colormaps that users make: colours at positions, mixed between them or as steps. */
import { asNumber, asRecord, asText } from './read-json.ts';

/** A colour and where it begins. */
export interface ColorStop {
  /** A share of the contrast, 0 to 1, or a value. */
  readonly position: number;
  /** `#rrggbb`. */
  readonly color: string;
}

/** The colours of a colormap. */
export interface ColormapDraft {
  readonly name: string;
  /** In rising order. */
  readonly stops: readonly ColorStop[];
  /** Steps: each colour goes from its position to the next, the last one on from its own. */
  readonly isDiscrete: boolean;
  /** Whether positions are values of the data. */
  readonly isAbsolute: boolean;
}

/** A colormap that the server stores. */
export interface OwnColormap extends ColormapDraft {
  readonly id: string;
  /** False for one that came with an address and was not saved here. */
  readonly isSaved: boolean;
}

/** True for the id of a stored colormap. */
export const isColormapId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** A colour as `#rrggbb`; the server also writes three numbers from 0 to 1. */
const parseColor = (value: unknown): string | null => {
  if (typeof value === 'string') return /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : null;
  if (!Array.isArray(value) || value.length !== 3 || !value.every((part) => asNumber(part) !== null))
    return null;
  const bytes = value.map((part: number) => Math.round(Math.min(1, Math.max(0, part)) * 255));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

/** Where a colour without a position lies: at equal distances, or at the beginning of an equal part. */
const evenly = (index: number, count: number, isDiscrete: boolean): number =>
  index / Math.max(1, isDiscrete ? count : count - 1);

const parseStops = (colors: unknown, isDiscrete: boolean): readonly ColorStop[] | null => {
  if (!Array.isArray(colors) || colors.length === 0 || colors.length > 256) return null;
  const stops = colors.map((entry: unknown, i): ColorStop | null => {
    const hasPosition = Array.isArray(entry) && entry.length === 2;
    const color = parseColor(hasPosition ? entry[1] : entry);
    const position = hasPosition ? asNumber(entry[0]) : evenly(i, colors.length, isDiscrete);
    return color === null || position === null ? null : { position, color };
  });
  return stops.every((stop) => stop !== null) ? stops : null;
};

/** Steps of shares end with the last colour again at 1, which the server asks for and people do not see. */
const withoutEnd = (stops: readonly ColorStop[]): readonly ColorStop[] => {
  const [before, last] = stops.slice(-2);
  return stops.length > 2 && last?.position === 1 && last.color === before?.color
    ? stops.slice(0, -1)
    : stops;
};

/** Reads a colormap as the server describes it; `null` for another schema. */
export const parseColormap = (body: unknown, name: string): ColormapDraft | null => {
  const { colors, type, thresholds_type } = asRecord(body);
  const [isDiscrete, isAbsolute] = [type === 'discrete', thresholds_type === 'absolute'];
  const stops = parseStops(colors, isDiscrete);
  if (stops === null) return null;
  return { name, stops: isDiscrete && !isAbsolute ? withoutEnd(stops) : stops, isDiscrete, isAbsolute };
};

/** The body that stores a colormap. */
export const toColormapBody = ({ stops, isDiscrete, isAbsolute }: ColormapDraft): object => {
  const last = stops.at(-1);
  const isOpen = isDiscrete && !isAbsolute && last !== undefined && last.position < 1;
  const all = isOpen ? [...stops, { ...last, position: 1 }] : stops;
  return {
    colors: all.map(({ position, color }) => [position, color]),
    type: isDiscrete ? 'discrete' : 'continuous',
    thresholds_type: isAbsolute ? 'absolute' : 'relative',
  };
};

/** What this browser has stored; entries that cannot be read are left out. */
export const parseOwnColormaps = (text: string | null): readonly OwnColormap[] => {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(list)) return [];
    return list.flatMap((value: unknown): readonly OwnColormap[] => {
      const { id, name, ...body } = asRecord(value);
      const [known, title] = [asText(id), asText(name)];
      const draft = title === null ? null : parseColormap(body, title);
      return known === null || !isColormapId(known) || draft === null
        ? []
        : [{ ...draft, id: known, isSaved: true }];
    });
  } catch {
    // Not JSON: an older version or another program wrote it.
    return [];
  }
};

/** Values between which the strip of a colormap runs; the last step is as wide as the others on average. */
export const toSpan = ({ stops, isDiscrete, isAbsolute }: ColormapDraft): { min: number; max: number } => {
  if (!isAbsolute) return { min: 0, max: 1 };
  const [min, last] = [stops[0]?.position ?? 0, stops.at(-1)?.position ?? 1];
  const step = (last - min) / Math.max(1, stops.length - 1) || 1;
  return { min, max: isDiscrete || last <= min ? last + step : last };
};

/** The colours as a CSS gradient over a span of values. */
export const toColorGradient = (
  { stops, isDiscrete }: ColormapDraft,
  { min, max }: { readonly min: number; readonly max: number },
): string => {
  const at = (position: number): string => `${(((position - min) / (max - min || 1)) * 100).toFixed(2)}%`;
  const parts = stops.flatMap(({ position, color }, i) => {
    if (!isDiscrete) return [`${color} ${at(position)}`];
    const from = i === 0 ? min : position;
    return [`${color} ${at(from)} ${at(stops[i + 1]?.position ?? max)}`];
  });
  // A gradient needs two colours.
  return `linear-gradient(90deg, ${parts.length === 1 && !isDiscrete ? [...parts, ...parts].join() : parts.join()})`;
};
