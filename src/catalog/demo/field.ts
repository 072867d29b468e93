import { clamp } from './easing.ts';

/** A slowly varying quantity over the landscape. */
export type Field = (x: number, y: number) => number;

const originM = -360;
const spanM = 21240;

/**
 * Computes a field once every `cellM` metres and interpolates in between: eight times cheaper than noise, and as good
 * where nothing in the field is shorter than about five cells.
 */
export function makeField(cellM: number, compute: Field): Field {
  const size = Math.floor(spanM / cellM) + 1;
  const values = new Float32Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let col = 0; col < size; col++) {
      values[row * size + col] = compute(originM + col * cellM, originM + row * cellM);
    }
  }
  return (x, y) => {
    const u = clamp((x - originM) / cellM, 0, size - 1.001);
    const v = clamp((y - originM) / cellM, 0, size - 1.001);
    const col = Math.floor(u);
    const row = Math.floor(v);
    const at = row * size + col;
    const top = values[at]! + (values[at + 1]! - values[at]!) * (u - col);
    const bottom = values[at + size]! + (values[at + size + 1]! - values[at + size]!) * (u - col);
    return top + (bottom - top) * (v - row);
  };
}
