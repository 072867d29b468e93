import type { Random } from '../../fuzz/random.ts';
import { SIDE_PX } from './tree-limits.ts';

/** Values that arithmetic gets wrong first. */
const HOSTILE = [
  ...[
    0,
    -0,
    1,
    -1,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    2,
    3,
    -3,
    7,
    10,
    100,
    255,
    811,
    3123,
    0.1,
    1e-3,
    Math.PI,
    -Math.PI,
  ],
  ...[Number.NaN, Infinity, -Infinity, 2 ** -149, -(2 ** -149), 2 ** -126, 1e-40, -1e-40, 1e-38],
  ...[3.4028234663852886e38, -3.4028234663852886e38, 1e38, 1e20, -1e20, 1e10, 88.72284, -87.5, 127.5, 128],
  ...[
    2 ** 24,
    2 ** 24 - 1,
    2 ** 24 + 2,
    -(2 ** 24),
    2 ** 23 + 0.5,
    2 ** 31,
    2 ** 32,
    65_535,
    1.0000001,
    0.99999994,
  ],
];

/** Pixels of one band and where it has data. */
export interface HostilePlane {
  readonly values: Float32Array;
  readonly mask: Uint8Array | null;
}

/** Planes of hostile and ordinary values; one in four has holes. */
export function makeHostilePlanes(random: Random, count: number): readonly HostilePlane[] {
  const length = SIDE_PX * SIDE_PX;
  const value = (): number => {
    const chance = random.below(10);
    if (chance < 6) return random.pick(HOSTILE);
    if (chance < 8) return (random.below(2_000_001) - 1_000_000) / 1e5;
    return random.below(20_000);
  };
  return Array.from({ length: count }, () => ({
    values: new Float32Array(length).map(value),
    mask: random.below(4) === 0 ? new Uint8Array(length).map(() => (random.below(5) === 0 ? 0 : 1)) : null,
  }));
}
