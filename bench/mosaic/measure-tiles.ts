import type { Tile } from '../../src/geo/index.ts';
import { tileAt } from '../../src/geo/index.ts';
import { makeProjection } from '../../src/proj/index.ts';
import { printRow } from '../exports/report.ts';
import { measureSpent, median } from '../exports/spent.ts';
import { EPSG, TRANSFORM } from '../tiles/make-band.ts';
import { SIDE_M } from './make-scenes.ts';
import type { Measured } from './services.ts';
import { askPicture } from './services.ts';

/** Pictures of one kind from one service. */
export interface TileCase {
  readonly name: string;
  readonly service: Measured;
  toUrl(tile: Tile): string;
}

/** What one picture takes: the median of rounds, in milliseconds. */
export interface TileCost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

const ZOOM = 13;
const SIDE = 5;

/** A square of tiles in the middle of the scenes. */
function listTiles(): readonly Tile[] {
  const [x, y] = makeProjection(EPSG, 3857).forward(TRANSFORM[0] + SIDE_M / 2, TRANSFORM[3] - SIDE_M / 2);
  const middle = tileAt(ZOOM, x, y);
  return Array.from({ length: SIDE * SIDE }, (_, i) => ({
    z: ZOOM,
    x: middle.x - (SIDE >> 1) + (i % SIDE),
    y: middle.y - (SIDE >> 1) + Math.floor(i / SIDE),
  }));
}

interface Asking {
  readonly rounds: number;
  /** Passes over the tiles in one round, so that it takes many ticks of the clock that counts CPU time. */
  readonly passes: number;
  /** Pictures that are asked for at the same time. */
  readonly clients: number;
}

/** Measures cases in turns, so that a busy time of the machine meets all of them; the first round fills caches. */
export async function measureCases(
  cases: readonly TileCase[],
  { rounds, passes, clients }: Asking,
): Promise<ReadonlyMap<string, TileCost>> {
  const tiles = listTiles();
  const costs = new Map(cases.map(({ name }) => [name, { cpu: [] as number[], wall: [] as number[] }]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const one of cases) {
      const walls: number[] = [];
      const left = Array.from({ length: passes }, () => tiles)
        .flat()
        .values();
      const client = async (): Promise<void> => {
        for (const tile of left) {
          const startMs = performance.now();
          await askPicture(one.toUrl(tile));
          walls.push(performance.now() - startMs);
        }
      };
      const { spent } = await measureSpent(
        () => one.service.readCpuS(),
        () => Promise.all(Array.from({ length: clients }, client)),
      );
      if (round === 0) continue;
      costs.get(one.name)?.cpu.push((1000 * spent.cpuS) / (tiles.length * passes));
      costs.get(one.name)?.wall.push(median(walls));
    }
  }
  return new Map(
    [...costs].map(([name, { cpu, wall }]) => [name, { cpuMs: median(cpu), wallMs: median(wall) }]),
  );
}

/** Prints costs, each next to that of the case it is compared with. */
export function printCosts(costs: ReadonlyMap<string, TileCost>, base: TileCost): void {
  for (const [name, { cpuMs, wallMs }] of costs)
    printRow(name, cpuMs.toFixed(2), wallMs.toFixed(2), `${(cpuMs / base.cpuMs).toFixed(2)} ×`);
}
