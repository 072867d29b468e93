/**
 * The plan of the country, the same for every seed: where the shore, the ranges, the main rivers and the lake lie. The
 * seed decides everything smaller. Kilometres, x east and y south as in `setting.ts`.
 */
type Kilometres = readonly [x: number, y: number];

/** x of the mainland's shore by y: a bay in the north, a wooded headland, the main river's delta, a sound. */
export const shoreLine: readonly (readonly [y: number, x: number])[] = [
  [-8, 28],
  [4, 30],
  [11, 33],
  [17, 37.5],
  [21, 38.5],
  [25, 36.5],
  [30, 29.5],
  [34, 27],
  [38, 29],
  [44, 33.2],
  [50, 33],
  [54, 31.2],
  [57.5, 30.6],
  [61, 31.8],
  [66, 35.2],
  [70.5, 36.7],
  [73, 37],
  [80, 36.5],
  [86, 39.5],
  [92, 40.5],
  [98, 38.5],
  [104, 36],
  [120, 38],
];

/** Islands as turned ellipses; `turn` 1 is a full circle, `rise` scales the hills on them. */
export const islands: readonly {
  readonly at: Kilometres;
  readonly radii: Kilometres;
  readonly turn: number;
  readonly rise: number;
}[] = [
  { at: [10, 13], radii: [7.5, 5], turn: 0.9, rise: 60 },
  { at: [20.5, 18], radii: [2.6, 4], turn: 0.05, rise: 40 },
  { at: [6, 31], radii: [4.2, 6.2], turn: 0.06, rise: 45 },
  { at: [16.5, 37], radii: [4, 2.8], turn: 0.1, rise: 26 },
  { at: [20, 66], radii: [3.2, 9], turn: 0.96, rise: 9 },
  { at: [25, 84], radii: [3, 11], turn: 0.97, rise: 10 },
  { at: [3, 106], radii: [8, 9], turn: 0, rise: 50 },
  { at: [30.5, 97], radii: [1.4, 2.6], turn: 0.1, rise: 2 },
  { at: [24, 5], radii: [1.3, 2.2], turn: 0.12, rise: 5 },
  { at: [11.5, 47], radii: [1.8, 1.2], turn: 0.03, rise: 5 },
];

/** Single hills and peaks that stand out: `rise` adds to the steepness of brooks there. */
export const peaks: readonly { readonly at: Kilometres; readonly radiusKm: number; readonly rise: number }[] =
  [
    { at: [96, 27.5], radiusKm: 9, rise: 60 },
    { at: [100, 66], radiusKm: 8, rise: 45 },
    { at: [29.5, 33.5], radiusKm: 5, rise: 15 },
    { at: [47.5, 38], radiusKm: 5.5, rise: 50 },
    { at: [56, 84], radiusKm: 6, rise: 40 },
    { at: [45, 6], radiusKm: 5, rise: 26 },
  ];

/** Courses of the three main rivers from the eastern edge to the sea, and their level in metres by x in kilometres. */
export const trunks: readonly {
  readonly course: readonly Kilometres[];
  readonly levels: readonly (readonly [xKm: number, levelM: number])[];
  /** Half the width at the upper and at the lower end, in metres. */
  readonly halfWidthsM: readonly [upper: number, lower: number];
}[] = [
  {
    course: [
      [112.5, 41],
      [104, 44],
      [96, 47.2],
      [88, 46.4],
      [80, 50],
      [73.5, 50.2],
      [69.5, 51.4],
      [66, 50.9],
      [62.6, 52.2],
      [58, 55.2],
      [52, 54.2],
      [46, 57.6],
      [40, 55.6],
      [35, 58],
      [31.4, 56.9],
      [28.5, 57.2],
    ],
    levels: [
      [28, 0],
      [31.5, 0.2],
      [40, 5],
      [46, 11],
      [52, 21],
      [58, 48],
      [62.6, 92],
      [73.5, 95],
      [80, 165],
      [88, 290],
      [96, 450],
      [104, 690],
      [113, 1050],
    ],
    halfWidthsM: [14, 75],
  },
  {
    course: [
      [112.5, 13],
      [102, 11],
      [92, 13.4],
      [84, 17.4],
      [75, 16.2],
      [66, 20],
      [58, 18.6],
      [50, 22.4],
      [43, 19.8],
      [38, 21.2],
      [35, 20.5],
    ],
    levels: [
      [35, 0],
      [38.5, 0.2],
      [50, 17],
      [58, 40],
      [66, 85],
      [84, 270],
      [102, 640],
      [113, 980],
    ],
    halfWidthsM: [10, 42],
  },
  {
    course: [
      [112.5, 88.5],
      [100, 86],
      [90, 90.5],
      [80, 88.6],
      [70, 94],
      [60, 91.6],
      [52, 96],
      [45.5, 92.6],
      [40.5, 92.8],
      [37, 92],
    ],
    levels: [
      [37, 0],
      [41, 0.2],
      [52, 18],
      [60, 45],
      [70, 110],
      [80, 215],
      [100, 620],
      [113, 960],
    ],
    halfWidthsM: [10, 45],
  },
];

/** The lake in the first river's valley: its middle line, half its width and its full level. */
export const lake = {
  line: [
    [72.6, 50.3],
    [69.8, 51.4],
    [66.2, 50.9],
    [63.4, 52],
  ] as readonly Kilometres[],
  radiusKm: 1.05,
  levelM: 95,
} as const;

/** A settlement. */
export interface Settlement {
  readonly x: number;
  readonly y: number;
  readonly radiusM: number;
  readonly kind: 'town' | 'village';
}

const town = (x: number, y: number, radiusM: number): Settlement => ({
  x: x * 1000,
  y: y * 1000,
  radiusM,
  kind: 'town',
});
const village = (x: number, y: number, radiusM: number): Settlement => ({
  x: x * 1000,
  y: y * 1000,
  radiusM,
  kind: 'village',
});

/** Towns and villages by name; roads link them in `roads.ts`. */
export const settlements = {
  market: town(47.6, 62.4, 2500),
  port: town(40.2, 80.2, 3100),
  northTown: town(46.5, 17.2, 1700),
  bayside: town(39.5, 25.8, 1500),
  gateway: village(58.6, 57.3, 950),
  delta: village(35.2, 53.6, 620),
  riverbend: village(41.5, 59.2, 520),
  westplain: village(40.5, 66.5, 560),
  crossroads: village(51.5, 69.5, 600),
  southplain: village(46.5, 76.8, 480),
  edge: village(55.5, 77.5, 540),
  mill: village(53.2, 92.8, 800),
  southgate: village(44, 90, 620),
  sound: village(42.3, 98.5, 700),
  hollow: village(63.5, 90.2, 480),
  headland: village(32.5, 37.4, 560),
  mid: village(40.5, 45.8, 720),
  eastfields: village(50.5, 47.5, 560),
  hillfoot: village(55.5, 35.8, 520),
  northplain: village(43, 33.2, 620),
  upperNorth: village(57.5, 20.6, 620),
  border: village(40, 7.5, 560),
  ridge: village(53, 8.6, 420),
  lakeside: village(64, 49.6, 420),
  forks: village(81.5, 48.6, 300),
  islandNorth: village(12.5, 15.5, 560),
  islandWest: village(7, 33, 420),
  islandMid: village(20.6, 67.2, 620),
  islandSouth: village(24.9, 84.5, 700),
} as const satisfies Readonly<Record<string, Settlement>>;

const all: readonly Settlement[] = Object.values(settlements);

/** How settled a point is: 1 in the middle of a settlement, 0 at its edge, negative outside, never below -3. */
export function settledAt(x: number, y: number): number {
  let nearest = 16;
  for (const settlement of all) {
    const here = radii2(settlement, x, y);
    if (here < nearest) nearest = here;
  }
  return 1 - Math.sqrt(nearest);
}

/** The settlement that a point belongs to, or would if it grew. */
export function nearestSettlement(x: number, y: number): Settlement {
  return all.reduce((best, other) => (radii2(other, x, y) < radii2(best, x, y) ? other : best));
}

/** Square of the distance from a settlement's middle, in its radii. */
function radii2({ x, y, radiusM }: Settlement, atX: number, atY: number): number {
  const dx = (atX - x) / radiusM;
  const dy = (atY - y) / radiusM;
  return dx * dx + dy * dy;
}
