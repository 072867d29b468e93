import { hash } from 'node:crypto';
import type { SceneHit } from '../catalog/index.ts';
import type { Selection } from './mosaic.ts';
import { isPicking } from './mosaic.ts';

/** From few scenes to many: dark violet to yellow, in the order of brightness (a few stops of viridis). */
const COUNT_COLORS = [
  0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725,
];
/** From this number on all counts have the last colour. */
const MOST_COUNTED = 32;

/** The colours of a picture of sources: of each candidate, or of each number of scenes that a pixel is made of. */
export const toSourceColors = (hits: readonly SceneHit[], selection: Selection): readonly number[] =>
  isPicking(selection) ? hits.map(toSceneColor) : countColors;

const countColors = Array.from({ length: MOST_COUNTED + 1 }, (_, count) => {
  const place = (Math.log2(Math.max(1, count)) / Math.log2(MOST_COUNTED)) * (COUNT_COLORS.length - 1);
  return COUNT_COLORS[Math.round(place)]!;
});

/** The colour of a scene: it follows from its view id, so that a scene looks the same in every tile. */
export function toSceneColor({ viewId }: Pick<SceneHit, 'viewId'>): number {
  const bytes = hash('sha256', viewId, 'buffer');
  const hue = ((bytes[0]! << 8) | bytes[1]!) / 65_536;
  const saturation = 0.5 + bytes[2]! / 512;
  const lightness = 0.4 + bytes[3]! / 1_024;
  return toRgb(hue, saturation, lightness);
}

function toRgb(hue: number, saturation: number, lightness: number): number {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number): number => {
    const k = (n + hue * 12) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return (channel(0) << 16) | (channel(8) << 8) | channel(4);
}
