/** Changes of a colormap that is being made: each gives another draft, whose stops are in order. */
import type { ViewerColormap } from '../../../scenes/knowledge.ts';
import type { ColormapDraft, ColorStop } from '../../../scenes/own-colormap.ts';
import type { Contrast } from '../../../scenes/picture.ts';

/** As many as the server takes, with room for the end of steps. */
const MAX_STOPS = 255;
/** Fewer mix nothing. */
const MIN_STOPS = 2;
/** A named colormap comes with 17 colours; every other one is as good and easier to move. */
const STEP_OF_NAMED = 2;

const spread = (colors: readonly string[], isDiscrete: boolean): readonly ColorStop[] =>
  colors.map((color, i) => ({
    position: Number((i / Math.max(1, isDiscrete ? colors.length : colors.length - 1)).toFixed(4)),
    color,
  }));

/** A draft with the colours of a named colormap, over the contrast. */
export const fromNamed = ({ colors, isDiscrete }: ViewerColormap, name: string): ColormapDraft => {
  const used = isDiscrete ? colors : colors.filter((_, i) => i % STEP_OF_NAMED === 0);
  return { name, stops: spread(used, isDiscrete), isDiscrete, isAbsolute: false };
};

/** Shares are moved by thousandths; of values four digits are enough. */
const round = (position: number, isAbsolute: boolean): number =>
  isAbsolute ? Number(position.toPrecision(4)) : Number(position.toFixed(3));

/** Shares begin at 0, and mixed ones end at 1. */
const withEnds = (draft: ColormapDraft): ColormapDraft => {
  if (draft.isAbsolute) return draft;
  const last = draft.stops.length - 1;
  const stops = draft.stops.map((stop, i) => {
    if (i === 0) return { ...stop, position: 0 };
    return i === last && !draft.isDiscrete ? { ...stop, position: 1 } : stop;
  });
  return { ...draft, stops };
};

/** True for a stop whose position follows from the others. */
export const isPinned = ({ stops, isDiscrete, isAbsolute }: ColormapDraft, index: number): boolean =>
  !isAbsolute && (index === 0 || (index === stops.length - 1 && !isDiscrete));

/** Moves a stop, between its neighbours. */
export const moveStop = (draft: ColormapDraft, index: number, position: number): ColormapDraft => {
  if (isPinned(draft, index) || !Number.isFinite(position)) return draft;
  const { stops, isAbsolute } = draft;
  const low = stops[index - 1]?.position ?? (isAbsolute ? -Infinity : 0);
  const high = stops[index + 1]?.position ?? (isAbsolute ? Infinity : 1);
  const moved = Math.min(high, Math.max(low, round(position, isAbsolute)));
  return { ...draft, stops: stops.with(index, { position: moved, color: stops[index]?.color ?? '#000000' }) };
};

/** Another colour for a stop. */
export const colorStop = (draft: ColormapDraft, index: number, color: string): ColormapDraft => {
  const stop = draft.stops[index];
  return stop === undefined ? draft : { ...draft, stops: draft.stops.with(index, { ...stop, color }) };
};

const mix = (from: string, to: string, share: number): string => {
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = [from, to].map((color) => Number.parseInt(color.slice(at, at + 2), 16)) as [
      number,
      number,
    ];
    return Math.round(a + (b - a) * share);
  });
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
};

/** The colour between two stops at a position. */
const colorBetween = (
  before: ColorStop | undefined,
  after: ColorStop | undefined,
  position: number,
): string => {
  if (before === undefined || after === undefined) return (before ?? after)?.color ?? '#808080';
  const width = after.position - before.position;
  return mix(before.color, after.color, width <= 0 ? 0.5 : (position - before.position) / width);
};

/** Adds a stop with the colour that is there already; the answer says which one it is, or -1 if there are too many. */
export const addStop = (
  draft: ColormapDraft,
  position: number,
): { readonly draft: ColormapDraft; readonly index: number } => {
  const { stops, isAbsolute } = draft;
  if (stops.length >= MAX_STOPS) return { draft, index: -1 };
  const found = stops.findIndex((stop) => stop.position > position);
  const index = found < 0 ? stops.length : found;
  const color = colorBetween(stops[index - 1], stops[index], position);
  const stop = { position: round(position, isAbsolute), color };
  return { draft: withEnds({ ...draft, stops: stops.toSpliced(index, 0, stop) }), index };
};

/** Adds a stop in the middle of the widest gap. */
export const addStopInGap = (
  draft: ColormapDraft,
): { readonly draft: ColormapDraft; readonly index: number } => {
  const { stops, isDiscrete, isAbsolute } = draft;
  const ends =
    isDiscrete && !isAbsolute
      ? [...stops.map(({ position }) => position), 1]
      : stops.map(({ position }) => position);
  const gaps = ends.slice(1).map((end, i) => end - (ends[i] ?? 0));
  const widest = gaps.indexOf(Math.max(...gaps));
  return addStop(draft, ((ends[widest] ?? 0) + (ends[widest + 1] ?? 1)) / 2);
};

/** Removes a stop, as long as enough are left. */
export const removeStop = (draft: ColormapDraft, index: number): ColormapDraft =>
  draft.stops.length <= MIN_STOPS ? draft : withEnds({ ...draft, stops: draft.stops.toSpliced(index, 1) });

/** True if a stop can be removed. */
export const canRemove = ({ stops }: ColormapDraft): boolean => stops.length > MIN_STOPS;

/** Mixed colours or steps; shares are spread anew, because steps need room behind the last colour. */
export const setDiscrete = (draft: ColormapDraft, isDiscrete: boolean): ColormapDraft => {
  if (draft.isDiscrete === isDiscrete) return draft;
  const count = draft.stops.length;
  const factor = isDiscrete ? (count - 1) / count : count / (count - 1);
  const stops = draft.isAbsolute
    ? draft.stops
    : draft.stops.map((stop) => ({ ...stop, position: round(Math.min(1, stop.position * factor), false) }));
  return withEnds({ ...draft, isDiscrete, stops });
};

/** Positions as values or as shares of a contrast. */
export const setAbsolute = (
  draft: ColormapDraft,
  isAbsolute: boolean,
  { min, max }: Contrast,
): ColormapDraft => {
  if (draft.isAbsolute === isAbsolute) return draft;
  const toOther = (position: number): number =>
    isAbsolute ? min + position * (max - min) : Math.min(1, Math.max(0, (position - min) / (max - min || 1)));
  const stops = draft.stops.map((stop) => ({ ...stop, position: round(toOther(stop.position), isAbsolute) }));
  return withEnds({ ...draft, isAbsolute, stops });
};
