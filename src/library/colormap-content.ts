import type { Colormap, ColormapContent } from '../color/index.ts';
import { listColormaps, planColormap } from '../color/index.ts';

type Entry = ColormapContent['colors'][number];
type Stop = Extract<Entry, readonly [number, unknown]>;

/** A named colormap in full: the content of a custom one that draws the same. */
export function toNamedContent(named: Extract<Colormap, { kind: 'named' }>): ColormapContent {
  const { colors } = planColormap(named, { colorsLimit: null, range: null });
  const { type } = listColormaps().find(({ name }) => name === named.name) ?? { type: 'continuous' };
  return {
    colors: (colors.match(/.{6}/g) ?? []).map((color) => `#${color}`),
    type,
    thresholds_type: 'relative',
  };
}

/**
 * The colormap of an id with `_r`, in full. Colours are reversed; between mixed ones the distances are too, while
 * classes have the same intervals, as when a picture is drawn.
 */
export function reverseColormap(content: ColormapContent): ColormapContent {
  const { colors, labels } = content;
  const named = labels === undefined ? {} : { labels: labels.toReversed() };
  return {
    ...content,
    ...named,
    colors: colors.every(isStop) ? reverseStops(colors, content.type) : reverse(colors),
  };
}

function reverseStops(stops: readonly Stop[], type: ColormapContent['type']): readonly Stop[] {
  const [first, last] = [stops[0]?.[0] ?? 0, stops.at(-1)?.[0] ?? 0];
  return stops.toReversed().map(([position, color], i) => {
    const moved = type === 'discrete' ? stops[i]?.[0] : first + last - position;
    return [moved ?? position, color] as const;
  });
}

const reverse = (colors: ColormapContent['colors']) => colors.toReversed() as ColormapContent['colors'];

/** A colour has three numbers, a stop a number and a colour. */
const isStop = (entry: Entry): entry is Stop => Array.isArray(entry) && entry.length === 2;
