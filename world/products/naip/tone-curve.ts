import { power } from '../../numbers/steady-math.ts';

/** Steps of reflectance that the curve is tabled in: finer than a step of 8 bits anywhere but in the deepest black. */
const STEPS = 1 << 14;
/** Reflectances above are all white. */
const MAX = 1;

/**
 * The tone curve of finished photographs: white at `white`, and bent as screens expect it, so that dark woods keep
 * their texture.
 */
export function makeToneCurve(white: number): Uint8Array {
  return Uint8Array.from({ length: STEPS + 1 }, (_, step) => {
    const part = (step / STEPS) * (MAX / white);
    return step === 0 ? 0 : Math.min(255, Math.round(255 * power(part, 1 / 2.2)));
  });
}

/** Stored values of a plane of reflectance. */
export function develop(plane: Float32Array, curve: Uint8Array): Uint8Array {
  const out = new Uint8Array(plane.length);
  for (let i = 0; i < out.length; i++) {
    const step = plane[i]! * (STEPS / MAX) + 0.5;
    out[i] = curve[step < 0 ? 0 : step > STEPS ? STEPS : step | 0]!;
  }
  return out;
}
