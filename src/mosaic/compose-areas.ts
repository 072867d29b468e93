/** Numbers of many areas on one grid of a mosaic: its scenes are read and put together once for all of them. */
import { rasterizeArea } from '../areas/index.ts';
import type { Size } from '../geo/index.ts';
import { summarize } from '../numbers/index.ts';
import type { Kernels } from '../raster/index.ts';
import type { ScenePlanes } from '../stack/index.ts';
import { NO_SCENE } from '../stack/index.ts';
import type { ComposedPlanes } from './accumulate.ts';
import type { AreaNumbers, PlacedArea, SceneShare } from './compose-job.ts';

/** An area with its pixels on its own grid: 1 inside. */
interface FilledArea extends PlacedArea {
  readonly inside: Uint8Array;
}

/** Areas of a job. */
export interface ComposedAreas {
  /** Counts the pixels of each area that have a part of a scene. Its memory must not have been used again. */
  count(scene: ScenePlanes, index: number): void;
  /** Measures each area; the planes are those of the grid, and shares come from their indexes if they have some. */
  measure(planes: ComposedPlanes | null): readonly AreaNumbers[];
}

interface GridOfAreas {
  /** The size of the planes. */
  readonly size: Size;
  /** Pixels around the grid that the corners of areas count from. */
  readonly padPx: number;
  readonly channels: number;
}

/** Begins the areas of a job. */
export function makeComposedAreas(
  areas: readonly PlacedArea[],
  { size, padPx, channels: channelCount }: GridOfAreas,
  kernels: Kernels,
): ComposedAreas {
  const filled = areas.map(
    (area): FilledArea => ({ ...area, inside: rasterizeArea(area.outline, area.grid) }),
  );
  const parts: SceneShare[][] = areas.map(() => []);

  /** Calls back for the pixels of an area: where each is on its own grid, and on the planes. */
  function forEachPixel(
    { grid, corner, inside }: FilledArea,
    visit: (own: number, at: number) => void,
  ): void {
    for (let row = 0; row < grid.height; row += 1) {
      const from = (corner.y + padPx + row) * size.width + corner.x + padPx;
      for (let column = 0; column < grid.width; column += 1) {
        const own = row * grid.width + column;
        if (inside[own] !== 0) visit(own, from + column);
      }
    }
  }

  return {
    count({ channelsAt, maskAt }, index) {
      const count = size.width * size.height;
      const mask = maskAt === 0 ? null : new Uint8Array(kernels.buffer(), maskAt, count);
      const channels = channelsAt.map((at) => new Float32Array(kernels.buffer(), at, count));
      for (const [i, area] of filled.entries()) {
        let pixels = 0;
        forEachPixel(area, (_, at) => {
          if (mask?.[at] !== 0 && channels.every((values) => !Number.isNaN(values[at]))) pixels += 1;
        });
        if (pixels > 0) parts[i]?.push({ index, pixels });
      }
    },
    measure(planes) {
      const count = size.width * size.height;
      const buffer = kernels.buffer();
      const mask = planes === null ? null : new Uint8Array(buffer, planes.maskAt, count);
      const channels = (planes?.channelsAt ?? []).map((at) => new Float32Array(buffer, at, count));
      const indexes =
        planes?.indexesAt === undefined ? null : new Uint16Array(buffer, planes.indexesAt, count);
      return filled.map((area, i) => {
        const px = area.grid.width * area.grid.height;
        const ownMask = new Uint8Array(px);
        const own = channels.map(() => new Float32Array(px));
        const pixelsOf = new Map<number, number>();
        let areaPx = 0;
        forEachPixel(area, (to, at) => {
          areaPx += 1;
          ownMask[to] = mask?.[at] ?? 0;
          for (const [channel, values] of own.entries())
            values[to] = (channels[channel] as Float32Array)[at] as number;
          const index = indexes?.[at] ?? NO_SCENE;
          if (index !== NO_SCENE) pixelsOf.set(index, (pixelsOf.get(index) ?? 0) + 1);
        });
        const summaries =
          planes === null
            ? Array.from({ length: channelCount }, () => null)
            : own.map((values) => summarize(values, ownMask));
        const picked = [...pixelsOf]
          .map(([index, pixels]) => ({ index, pixels }))
          .toSorted((one, other) => one.index - other.index);
        return { summaries, areaPx, shares: indexes === null ? (parts[i] ?? []) : picked };
      });
    },
  };
}

/** The shares of all areas together. */
export function joinShares(areas: readonly AreaNumbers[]): readonly SceneShare[] {
  const pixelsOf = new Map<number, number>();
  for (const { shares } of areas)
    for (const { index, pixels } of shares) pixelsOf.set(index, (pixelsOf.get(index) ?? 0) + pixels);
  return [...pixelsOf].map(([index, pixels]) => ({ index, pixels }));
}
