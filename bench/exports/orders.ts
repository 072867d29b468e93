import { BANDS } from './make-scene.ts';

/** An order, without the scene. */
export interface Order {
  readonly type: 'lbe' | 'bandmath' | 'jpeg';
  readonly params: Readonly<Record<string, unknown>>;
}

/** The bands of pictures. */
export const COLORS = ['B04', 'B03', 'B02'];
/** The contrast of pictures: stored numbers that become black and white. */
export const RANGE = [0, 3_000] as const;

/** About 5,000 × 5,000 pixels that begin and end within blocks. */
const HALF = [32.0, 49.8, 32.68, 50.24];

export const NDVI: Order = { type: 'bandmath', params: { bm_type: 'NDVI' } };
export const THREE_BANDS: Order = { type: 'lbe', params: { bands: COLORS, merge: true } };
export const CROPPED_BANDS: Order = { type: 'lbe', params: { ...THREE_BANDS.params, bbox: HALF } };
export const ALL_BANDS: Order = { type: 'lbe', params: { bands: BANDS, merge: false } };
export const ALL_CROPPED: Order = { type: 'lbe', params: { bands: BANDS, merge: true, bbox: HALF } };
export const PICTURE: Order = {
  type: 'jpeg',
  params: { bm_type: COLORS.join(), resample: 'cubic', levels: RANGE.join() },
};

/** An order of 5 km, at one of some positions. */
export function cropOrder({ type, params }: Order, serial: number): Order {
  const [west, south] = [31.8 + 0.1 * serial, 49.8 + 0.07 * serial];
  return { type, params: { ...params, bbox: [west, south, west + 0.07, south + 0.045] } };
}

/** An order of some hundred metres, all over the scene: no two of some hundreds read the same pixels. */
export function toSmallOrder(serial: number): Order {
  const [west, south] = [31.7 + 0.02 * (serial % 60), 49.7 + 0.03 * (Math.floor(serial / 60) % 25)];
  return { type: 'bandmath', params: { ...NDVI.params, bbox: [west, south, west + 0.005, south + 0.003] } };
}
