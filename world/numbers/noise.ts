/**
 * Seeded noise for the demo landscape. Only + - * / and integer operations are used: `Math.sin`, `exp` and `pow` may
 * differ in the last bit between engines, and the demo world has to be the same bytes on every machine.
 */

/** A well-mixed unsigned 32-bit integer from a lattice point and a seed. */
export function hash(ix: number, iy: number, seed: number): number {
  // Multiply-xorshift finaliser with the constants of "lowbias32" (Chris Wellons, public domain).
  let h = Math.imul(ix, 0x27d4eb2d) ^ Math.imul(iy, 0x165667b1) ^ Math.imul(seed, 0x1b873593);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A number in [0, 1) from a lattice point and a seed. */
export function random(ix: number, iy: number, seed: number): number {
  return hash(ix, iy, seed) / 4294967296;
}

/** Noise of one world; `channel` tells apart the things that are drawn from it. */
export interface Noise {
  /** Mixes the world's seed into a channel, for `hash` and `random`. */
  salt(channel: number): number;
  /** Gradient noise of wavelength 1, smooth, about in [-1, 1], mean 0; repeats after 256 wavelengths. */
  gradient(x: number, y: number, channel: number): number;
  /** Value noise of wavelength 1 in [0, 1): cheaper than gradient noise, good for grain. */
  value(x: number, y: number, channel: number): number;
  /** Sum of octaves of gradient noise, each of half the wavelength and strength; about in [-1, 1]. */
  fractal(x: number, y: number, octaves: number, channel: number): number;
}

/** The bytes 0 to 255 in an order of the seed: two look-ups hash a lattice point at a fifth of the cost of `hash`. */
function shuffleBytes(seed: number): Uint8Array {
  const bytes = new Uint8Array(256).map((_, i) => i);
  for (let i = 255; i > 0; i--) {
    const j = hash(i, seed, 1) % (i + 1);
    [bytes[i], bytes[j]] = [bytes[j]!, bytes[i]!];
  }
  return bytes;
}

const cosines = [2, 1.848, Math.SQRT2, 0.765, 0, -0.765, -Math.SQRT2, -1.848];
/** Slopes of gradient noise: sixteen directions on a circle of radius 2, so that it spans about [-1, 1]. */
const gradientX = Float64Array.of(...cosines, ...cosines.map((cosine) => -cosine));
/** The same, a quarter turn on. */
const gradientY = new Float64Array(16).map((_, i) => gradientX[(i + 12) % 16]!);

/** From 0 to 1 without a bend at either end: how gradient noise goes from corner to corner. */
const fade = (part: number): number => part * part * part * (part * (part * 6 - 15) + 10);

// Turning each octave by a 3-4-5 angle hides the lattice directions, at no cost in exactness.
const turnCos = 0.8;
const turnSin = 0.6;

/** Makes the noise of a world. */
export function makeNoise(seed: number): Noise {
  const shuffled = shuffleBytes(seed);

  const gradient = (x: number, y: number, channel: number): number => {
    const floorX = Math.floor(x);
    const floorY = Math.floor(y);
    const fx = x - floorX;
    const fy = y - floorY;
    const ix = floorX + channel * 37;
    const iy = floorY + channel * 101;
    const left = shuffled[ix & 255]! + iy;
    const right = shuffled[(ix + 1) & 255]! + iy;
    const a = shuffled[left & 255]! & 15;
    const b = shuffled[right & 255]! & 15;
    const c = shuffled[(left + 1) & 255]! & 15;
    const d = shuffled[(right + 1) & 255]! & 15;
    const ux = fade(fx);
    const uy = fade(fy);
    const na = gradientX[a]! * fx + gradientY[a]! * fy;
    const nb = gradientX[b]! * (fx - 1) + gradientY[b]! * fy;
    const nc = gradientX[c]! * fx + gradientY[c]! * (fy - 1);
    const nd = gradientX[d]! * (fx - 1) + gradientY[d]! * (fy - 1);
    const top = na + ux * (nb - na);
    return top + uy * (nc + ux * (nd - nc) - top);
  };

  const value = (x: number, y: number, channel: number): number => {
    const floorX = Math.floor(x);
    const floorY = Math.floor(y);
    const fx = x - floorX;
    const fy = y - floorY;
    const ix = floorX + channel * 37;
    const iy = floorY + channel * 101;
    const left = shuffled[ix & 255]! + iy;
    const right = shuffled[(ix + 1) & 255]! + iy;
    const a = shuffled[left & 255]!;
    const b = shuffled[right & 255]!;
    const c = shuffled[(left + 1) & 255]!;
    const d = shuffled[(right + 1) & 255]!;
    const ux = fx * fx * (3 - 2 * fx);
    const uy = fy * fy * (3 - 2 * fy);
    const top = a + ux * (b - a);
    return (top + uy * (c + ux * (d - c) - top)) / 256;
  };

  const fractal = (x: number, y: number, octaves: number, channel: number): number => {
    let sum = 0;
    let strength = 0.5;
    let px = x;
    let py = y;
    for (let octave = 0; octave < octaves; octave++) {
      sum += strength * gradient(px, py, channel + octave);
      strength *= 0.5;
      const turned = (px * turnCos - py * turnSin) * 2;
      py = (px * turnSin + py * turnCos) * 2;
      px = turned;
    }
    return sum;
  };

  return {
    salt: (channel) => hash(channel, seed, 2) & 0x7fffffff,
    gradient,
    value,
    fractal,
  };
}

/** A draw from a nearly normal distribution of mean 0 and deviation 1, never beyond 3.45. */
export function normalDraw(ix: number, iy: number, seed: number): number {
  const draw = hash(ix, iy, seed);
  // The sum of four random bytes: mean 510, standard deviation 147.8.
  return ((draw & 0xff) + ((draw >>> 8) & 0xff) + ((draw >>> 16) & 0xff) + (draw >>> 24) - 510) / 147.8;
}

/** Smooth noise along a line, wavelength about 2, mean 0 and deviation about 1. */
export function lineNoise(at: number, seed: number): number {
  const node = Math.floor(at);
  const part = at - node;
  const late = part * part * (3 - 2 * part);
  const early = 1 - late;
  const mixed = early * normalDraw(node, 0, seed) + late * normalDraw(node + 1, 0, seed);
  // Between two draws their mean would vary less than each: give back what the mixing took.
  return mixed / Math.sqrt(early * early + late * late);
}

/**
 * Smooth noise over the plane of wavelength 1, about in [-1, 1], mean 0. Costlier than the ground's noise but without a
 * table to shuffle, so good where the seed changes with every day.
 */
export function gradientNoise(x: number, y: number, seed: number): number {
  const col = Math.floor(x);
  const row = Math.floor(y);
  const fx = x - col;
  const fy = y - row;
  const corner = (right: number, down: number): number => {
    const turn = hash(col + right, row + down, seed) & 15;
    return gradientX[turn]! * (fx - right) + gradientY[turn]! * (fy - down);
  };
  const ux = fade(fx);
  const uy = fade(fy);
  const top = corner(0, 0) * (1 - ux) + corner(1, 0) * ux;
  const bottom = corner(0, 1) * (1 - ux) + corner(1, 1) * ux;
  return top + uy * (bottom - top);
}
