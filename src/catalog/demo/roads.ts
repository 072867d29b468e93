import type { Hydrology } from './hydrology.ts';
import { gradientNoise, random } from './noise.ts';
import { spreadCost } from './path-search.ts';
import type { Place, Stroke } from './polyline.ts';
import { smoothLine } from './polyline.ts';
import type { Relief } from './relief.ts';
import { settlements } from './settlements.ts';

const grid = { originM: -900, cellM: 150, cols: 108, rows: 150 } as const;

/** Where roads lead: settlements, and places outside the picture. */
const ends = {
  ...settlements,
  west: { x: -800, y: 6900 },
  southWest: { x: -800, y: 10300 },
  north: { x: 7400, y: -800 },
  northCoast: { x: 13300, y: -800 },
  southPlain: { x: 11300, y: 21300 },
  hills: { x: 5200, y: 21300 },
} as const satisfies Readonly<Record<string, Place>>;

/** What to connect; main roads first, as later ones join them. */
const links: readonly (readonly [from: keyof typeof ends, to: keyof typeof ends, halfWidthM: number])[] = [
  ['town', 'midBeach', 7],
  ['town', 'west', 7],
  ['town', 'north', 7],
  ['town', 'south', 7],
  ['south', 'southPlain', 7],
  ['town', 'vines', 6],
  ['midBeach', 'southBeach', 6],
  ['northBeach', 'northCoast', 6],
  ['midBeach', 'salt', 5],
  ['salt', 'northBeach', 5],
  ['town', 'northBank', 6],
  ['northBank', 'northPlain', 5],
  ['northPlain', 'northBeach', 4],
  ['town', 'springs', 5],
  ['springs', 'pines', 4],
  ['town', 'westBank', 5],
  ['westBank', 'southWest', 4],
  ['town', 'orchards', 5],
  ['orchards', 'gate', 5],
  ['gate', 'midBeach', 5],
  ['westBank', 'foothill', 4],
  ['foothill', 'vines', 4],
  ['foothill', 'slope', 4],
  ['slope', 'south', 4],
  ['south', 'southBeach', 4],
  ['slope', 'hills', 4],
  ['foothill', 'hamlet', 3],
  ['hamlet', 'slope', 3],
  ['pines', 'northPlain', 4],
  ['salt', 'gate', 4],
  ['northBank', 'salt', 4],
  ['vines', 'gate', 4],
];

/** The motorway passes the town in the west. */
const motorway: readonly Place[] = [
  { x: 4700, y: -900 },
  { x: 4250, y: 1500 },
  { x: 3150, y: 3800 },
  { x: 2750, y: 6300 },
  { x: 2650, y: 8600 },
  { x: 3400, y: 10800 },
  { x: 5600, y: 12600 },
  { x: 7200, y: 14400 },
  { x: 8700, y: 16600 },
  { x: 9100, y: 19000 },
  { x: 8900, y: 21700 },
];

/** Finds cheap ways between settlements around slopes and waters; later ways share what is already built. */
export function makeRoads(hydrology: Hydrology, relief: Relief): readonly Stroke[] {
  const { cols, rows } = grid;
  const stepCost = planCosts(hydrology, relief);
  const isBuilt = new Uint8Array(cols * rows);
  const roads: Stroke[] = [{ points: smoothLine(motorway, 4), halfWidthM: 13 }];
  for (const [from, to, halfWidthM] of links) {
    const target = toCell(ends[to]);
    const { previous } = spreadCost({ cols, rows, stepCost }, [toCell(ends[from])], { target });
    const way: Place[] = [];
    for (let cell = target; cell !== -1; cell = previous[cell]!) {
      way.push(toPlace(cell));
      if (isBuilt[cell] === 0) stepCost[cell]! *= 0.45;
      isBuilt[cell] = 1;
    }
    roads.push({ points: smoothLine(way, 3), halfWidthM });
  }
  return roads;
}

const toCell = ({ x, y }: Place): number =>
  Math.floor((y - grid.originM) / grid.cellM) * grid.cols + Math.floor((x - grid.originM) / grid.cellM);

/** Centre of a cell, moved a little so that straight ways are not ruler-straight along the grid. */
function toPlace(cell: number): Place {
  const col = cell % grid.cols;
  const row = Math.floor(cell / grid.cols);
  return {
    x: grid.originM + (col + 0.5 + (random(col, row, 71) - 0.5) * 0.5) * grid.cellM,
    y: grid.originM + (row + 0.5 + (random(col, row, 72) - 0.5) * 0.5) * grid.cellM,
  };
}

function planCosts(hydrology: Hydrology, relief: Relief): Float64Array {
  const ground = { heightM: 0, slopeX: 0, slopeY: 0 };
  return Float64Array.from({ length: grid.cols * grid.rows }, (_, cell) => {
    const x = grid.originM + ((cell % grid.cols) + 0.5) * grid.cellM;
    const y = grid.originM + (Math.floor(cell / grid.cols) + 0.5) * grid.cellM;
    if (hydrology.inlandM(x, y) < 180 || hydrology.lagoonEdgeM(x, y) < 120) return Number.POSITIVE_INFINITY;
    relief.sample(x, y, ground);
    const steep = Math.sqrt(ground.slopeX * ground.slopeX + ground.slopeY * ground.slopeY);
    const bridge = hydrology.riverEdgeM(x, y) < 90 ? 6 : 0;
    return 1 + 9 * steep + bridge + 0.35 * gradientNoise(x / 1300, y / 1300, 73);
  });
}
