import { createHash } from 'node:crypto';
import type { WireColor } from '../parse-color.ts';

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
