import type { SkyPlan } from '../../../light/exposure.ts';
import { expose } from '../../../light/index.ts';
import { makeFakeWorld } from '../../../testing/fake-world.ts';
import type { LandsatMission } from '../missions.ts';
import type { LandsatPlan } from '../write-landsat.ts';

/** The world that is photographed. */
export const world = makeFakeWorld();
/** A part of it with everything in it. */
export const window = { x: 30_000, y: 42_000, widthM: 3_000, heightM: 3_000 };

/** A sky with clouds, their shadows, cirrus and clear air in the window, at all seasons. */
function findSky(): SkyPlan {
  const side = 25;
  const toCoordinate = (from: number, index: number) => from + 300 + index * 100;
  const count = side * side;
  const x = new Float64Array(count).map((_, i) => toCoordinate(window.x, i % side));
  const y = new Float64Array(count).map((_, i) => toCoordinate(window.y, Math.floor(i / side)));
  const survey = world.ground.survey({ width: side, height: side, x, y, sideM: 100 });
  for (let seed = 1; seed < 1_000; seed++) {
    const sky = { seed, opaque: 0.4, cirrus: 0.25, haze: 0.2 };
    const isMixed = ['2017-03-05T18:57:12Z', '2025-07-10T18:57:12Z'].every((time) => {
      const taken = expose(world, { survey, atMs: Date.parse(time), bands: [], sky, level: 'top' });
      const share = (marks: Uint8Array) => marks.reduce((sum, mark) => sum + mark, 0) / count;
      const [opaque, cirrus, shadow] = [share(taken.opaque), share(taken.cirrus), share(taken.shadow)];
      return opaque > 0.05 && opaque < 0.5 && cirrus > 0.05 && shadow > 0.05 && shadow < 0.6;
    });
    if (isMixed) return sky;
  }
  throw new Error('no seed of a thousand gives a mixed sky');
}
const sky = findSky();

/** A plan of the window. */
export const at = (mission: LandsatMission, time: string, more: Partial<LandsatPlan> = {}): LandsatPlan => ({
  mission,
  atMs: Date.parse(time),
  window,
  sky,
  ...more,
});

/** A product and what it is called. */
export interface Case {
  readonly plan: LandsatPlan;
  readonly start: string;
  readonly viewId: string;
  /** How files and metadata call the bands. */
  readonly bands: readonly string[];
}

const numbers = (...keys: number[]) => keys.map(String);
/** Bands of the instruments, as files call them. */
export const oli = numbers(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
export const tm = numbers(1, 2, 3, 4, 5, 6, 7);
export const etm = ['1', '2', '3', '4', '5', '6_VCID_1', '6_VCID_2', '7', '8'];
/** One product of every kind, with what it is called. */
export const cases: readonly Case[] = [
  {
    plan: at('landsat8', '2025-07-10T18:57:12.345Z'),
    start: 'LC08_L1TP_046026_20250710_20250719_02_T1',
    viewId: 'L8/LC80460262025191LGN00',
    bands: oli,
  },
  {
    plan: at('landsat8', '2017-03-05T18:57:12.345Z', { collection: 1 }),
    start: 'LC08_L1TP_046026_20170305_20170314_01_T1',
    viewId: 'L8/LC80460262017064LGN00',
    bands: oli,
  },
  {
    plan: at('landsat9', '2025-09-20T18:57:03.000Z'),
    start: 'LC09_L1TP_046026_20250920_20250929_02_T1',
    viewId: 'L9/LC90460262025263LGN00',
    bands: oli,
  },
  {
    plan: at('landsat7', '2012-07-14T18:51:40.000Z'),
    start: 'LE07_L1TP_046026_20120714_20200914_02_T1',
    viewId: 'L7/LE70460262012196EDC00',
    bands: etm,
  },
  {
    plan: at('landsat5tm', '2008-08-20T18:48:02.000Z'),
    start: 'LT05_L1TP_046026_20080820_20200831_02_T1',
    viewId: 'L5TM/LT50460262008233PAC01',
    bands: tm,
  },
  {
    plan: at('landsat4tm', '1988-06-30T18:31:00.000Z'),
    start: 'LT04_L1TP_046026_19880630_20200918_02_T1',
    viewId: 'L4TM/LT40460261988182XXX03',
    bands: tm,
  },
  {
    plan: at('landsat5mss', '1986-05-11T18:20:00.000Z'),
    start: 'LM05_L1TP_046026_19860511_20210918_02_T2',
    viewId: 'L5MSS/LM50460261986131AAA03',
    bands: numbers(1, 2, 3, 4),
  },
  {
    plan: at('landsat4mss', '1983-09-02T18:25:00.000Z'),
    start: 'LM04_L1TP_046026_19830902_20210902_02_T2',
    viewId: 'L4MSS/LM40460261983245AAA03',
    bands: numbers(1, 2, 3, 4),
  },
];
