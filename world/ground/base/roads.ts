import type { Noise } from '../../numbers/noise.ts';
import { random } from '../../numbers/noise.ts';
import type { Settlement } from './layout.ts';
import { settlements } from './layout.ts';
import { spreadCost } from './path-search.ts';
import type { Point, Stroke } from './polylines.ts';
import { smoothLine } from './polylines.ts';

const grid = { originM: -1320, cellM: 440, size: 256 } as const;

/** Where roads lead: settlements, and locations outside the picture. */
const ends = {
  ...settlements,
  north: { x: 43500, y: -1100 },
  south: { x: 47500, y: 110900 },
  east: { x: 110900, y: 41500 },
  southEast: { x: 84000, y: 89400 },
  northEast: { x: 86000, y: 17800 },
} as const satisfies Readonly<Record<string, Point | Settlement>>;

/** What to connect; main roads first, as later ones join them. */
const links: readonly (readonly [from: keyof typeof ends, to: keyof typeof ends, halfWidthM: number])[] = [
  ['market', 'port', 7],
  ['market', 'gateway', 6],
  ['market', 'mid', 6],
  ['mid', 'northplain', 6],
  ['northplain', 'bayside', 6],
  ['bayside', 'northTown', 6],
  ['northTown', 'border', 6],
  ['port', 'southgate', 6],
  ['southgate', 'sound', 6],
  ['sound', 'south', 6],
  ['gateway', 'lakeside', 5],
  ['lakeside', 'forks', 5],
  ['forks', 'east', 5],
  ['market', 'riverbend', 5],
  ['riverbend', 'delta', 5],
  ['delta', 'mid', 4],
  ['market', 'westplain', 5],
  ['westplain', 'port', 5],
  ['market', 'crossroads', 5],
  ['crossroads', 'southplain', 4],
  ['southplain', 'port', 5],
  ['crossroads', 'edge', 5],
  ['edge', 'mill', 5],
  ['mill', 'southgate', 5],
  ['mill', 'hollow', 4],
  ['hollow', 'southEast', 4],
  ['southplain', 'edge', 4],
  ['gateway', 'eastfields', 4],
  ['eastfields', 'mid', 5],
  ['eastfields', 'hillfoot', 4],
  ['hillfoot', 'northplain', 4],
  ['hillfoot', 'upperNorth', 4],
  ['upperNorth', 'northTown', 5],
  ['upperNorth', 'northEast', 4],
  ['northTown', 'ridge', 4],
  ['ridge', 'upperNorth', 4],
  ['border', 'north', 5],
  ['border', 'ridge', 4],
  ['headland', 'mid', 4],
  ['headland', 'bayside', 4],
  ['gateway', 'crossroads', 4],
  ['sound', 'mill', 4],
];

/** The motorway runs through the plain from north to south. */
const motorway: readonly Point[] = [
  { x: 44500, y: -1400 },
  { x: 43800, y: 6000 },
  { x: 43200, y: 14000 },
  { x: 42800, y: 23000 },
  { x: 44200, y: 32000 },
  { x: 43600, y: 42000 },
  { x: 43300, y: 52000 },
  { x: 44600, y: 60000 },
  { x: 44300, y: 68000 },
  { x: 43900, y: 76000 },
  { x: 44600, y: 84000 },
  { x: 45600, y: 91000 },
  { x: 44400, y: 99000 },
  { x: 45800, y: 111200 },
];

/** What a road builder needs to know of a point. */
export interface RoadCountry {
  inlandM(x: number, y: number): number;
  lakeEdgeM(x: number, y: number): number;
  steepAt(x: number, y: number): number;
  isRiver(x: number, y: number): boolean;
}

/** Finds cheap ways between settlements around slopes and waters; later ways share what is already built. */
export function makeRoads(noise: Noise, country: RoadCountry): readonly Stroke[] {
  const { size } = grid;
  const stepCost = planCosts(noise, country);
  const isBuilt = new Uint8Array(size * size);
  const roads: Stroke[] = [toStroke(smoothLine(motorway, 4), 12)];
  const seed = noise.salt(71);
  for (const [from, to, halfWidthM] of links) {
    const target = toCell(ends[to]);
    const { previous } = spreadCost({ cols: size, rows: size, stepCost }, [toCell(ends[from])], { target });
    const way: Point[] = [];
    for (let cell = target; cell !== -1; cell = previous[cell]!) {
      way.push(toPoint(cell, seed));
      if (isBuilt[cell] === 0) stepCost[cell]! *= 0.45;
      isBuilt[cell] = 1;
    }
    // No road crosses water: the way then has only its end.
    if (way.length > 1) roads.push(toStroke(smoothLine(way, 3), halfWidthM));
  }
  return roads;
}

const toStroke = (points: readonly Point[], halfWidthM: number): Stroke => ({
  points,
  halfWidthM: points.map(() => halfWidthM),
  valueAt: points.map(() => 0),
});

const toCell = ({ x, y }: Point): number =>
  Math.floor((y - grid.originM) / grid.cellM) * grid.size + Math.floor((x - grid.originM) / grid.cellM);

/** Centre of a cell, moved a little so that straight ways are not ruler-straight along the grid. */
function toPoint(cell: number, seed: number): Point {
  const col = cell % grid.size;
  const row = Math.floor(cell / grid.size);
  return {
    x: grid.originM + (col + 0.5 + (random(col, row, seed) - 0.5) * 0.4) * grid.cellM,
    y: grid.originM + (row + 0.5 + (random(row, col, seed) - 0.5) * 0.4) * grid.cellM,
  };
}

function planCosts(noise: Noise, country: RoadCountry): Float64Array {
  return new Float64Array(grid.size * grid.size).map((_, cell) => {
    const x = grid.originM + ((cell % grid.size) + 0.5) * grid.cellM;
    const y = grid.originM + (Math.floor(cell / grid.size) + 0.5) * grid.cellM;
    if (country.inlandM(x, y) < 150 || country.lakeEdgeM(x, y) < 200) return Number.POSITIVE_INFINITY;
    const bridge = country.isRiver(x, y) ? 3 : 0;
    return 1 + 14 * country.steepAt(x, y) + bridge + 0.3 * noise.gradient(x / 3300, y / 3300, 73);
  });
}
