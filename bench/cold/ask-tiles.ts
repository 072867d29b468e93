import type { Tile } from '../../src/geo/index.ts';

/** What a list of tiles took. */
export interface AskedTiles {
  /** Of the tile that was asked for first. */
  readonly firstMs: number;
  readonly medianMs: number;
  readonly allMs: number;
  readonly failed: number;
  /** Medians of the stages that the service reports. */
  readonly stagesMs: ReadonlyMap<string, number>;
}

/** Asks for tiles with several clients at once, each one tile at a time. */
export async function askTiles(
  tiles: readonly Tile[],
  clients: number,
  toUrl: (tile: Tile) => string,
): Promise<AskedTiles> {
  const times: number[] = [];
  const stages = new Map<string, number[]>();
  const waiting = [...tiles.entries()];
  let failed = 0;
  const startedAt = performance.now();
  const ask = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, tile] = next;
      const askedAt = performance.now();
      const answer = await fetch(toUrl(tile));
      await answer.arrayBuffer();
      times[index] = performance.now() - askedAt;
      if (!answer.ok) failed += 1;
      for (const [, stage, ms] of (answer.headers.get('server-timing') ?? '').matchAll(
        /([\w-]+);dur=([\d.]+)/g,
      )) {
        const list = stages.get(stage as string) ?? [];
        stages.set(stage as string, list);
        list.push(Number(ms));
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, ask));
  return {
    firstMs: times[0] ?? 0,
    medianMs: toMedian(times),
    allMs: performance.now() - startedAt,
    failed,
    stagesMs: new Map([...stages].map(([stage, list]) => [stage, toMedian(list)])),
  };
}

/** The median of some numbers: of an even count the mean of the middle two. */
export function toMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0];
  return (low + high) / 2;
}
