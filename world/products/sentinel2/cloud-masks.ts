import type { BandGroup } from './band-groups.ts';
import type { Strip } from './take-strips.ts';

/** Clouds and snow of a product on its coarsest grid, 1 where there are some. */
export interface CloudMasks {
  readonly width: number;
  readonly height: number;
  readonly pixelM: number;
  readonly opaque: Uint8Array;
  readonly cirrus: Uint8Array;
  readonly snow: Uint8Array;
  /** 1 where nothing was measured. */
  readonly outside: Uint8Array;
}

/** Share of a pixel from which on it counts as snow. */
const MOSTLY = 0.5;

/** Empty masks of a group of bands, to be filled strip by strip. */
export function makeCloudMasks({ width, height, pixelM }: BandGroup): CloudMasks {
  const make = () => new Uint8Array(width * height);
  return { width, height, pixelM, opaque: make(), cirrus: make(), snow: make(), outside: make() };
}

/** Enters a strip of the group the masks were made for. */
export function addToMasks(masks: CloudMasks, { row, exposure, outside }: Strip): void {
  const start = row * masks.width;
  const { opaque, cirrus, painted } = exposure;
  for (let i = 0; i < opaque.length; i++) {
    const at = start + i;
    if (outside?.[i] === 1) {
      masks.outside[at] = 1;
      continue;
    }
    masks.opaque[at] = opaque[i]!;
    masks.cirrus[at] = opaque[i] === 1 ? 0 : cirrus[i]!;
    masks.snow[at] = opaque[i] === 0 && painted.snow[i]! >= MOSTLY ? 1 : 0;
  }
}

/** Shares in percent: of the window that was measured, and of that under clouds of either kind. */
export function measureMasks({ opaque, cirrus, outside }: CloudMasks): {
  readonly coverage: number;
  readonly cloudy: number;
} {
  const count = (mask: Uint8Array) => mask.reduce((sum, flag) => sum + flag, 0);
  const measured = outside.length - count(outside);
  return {
    coverage: (100 * measured) / outside.length,
    cloudy: (100 * (count(opaque) + count(cirrus))) / Math.max(1, measured),
  };
}
