import type { DemoPart } from '../../world/demo/demo-part.ts';
import type { SkyPlan } from '../../world/light/exposure.ts';
import type { Cbers4Plan } from '../../world/products/cbers4/plan.ts';
import type { LandsatPlan } from '../../world/products/landsat/write-landsat.ts';
import type { LocalWindow } from '../../world/products/local-window.ts';
import type { NaipPlan } from '../../world/products/naip/plan.ts';
import type { Sentinel2Plan } from '../../world/products/sentinel2/plan.ts';
import { spots } from '../../world/setting.ts';

/** A product that is quickly made: one for every sensor, format and processing baseline that the demo has. */
export interface SmallProduct {
  /** Of the sensor. */
  readonly dataset: string;
  readonly part: DemoPart;
}

const atMs = (time: string): number => Date.parse(`${time}:00Z`);

/** Clouds, their shadows, cirrus and clear air, all of them over the town's middle in summer. */
const sky: SkyPlan = { seed: 247, opaque: 0.25, cirrus: 0.25, haze: 0.2 };

/** A square with streets, river and fields in it; its corner lies on the 60 m that Sentinel-2's grids share. */
const around = (spot: keyof typeof spots, sizeM: number): LocalWindow => {
  const corner = (middle: number) => Math.round((middle - sizeM / 2) / 60) * 60;
  return { x: corner(spots[spot].x), y: corner(spots[spot].y), widthM: sizeM, heightM: sizeM };
};

function toSentinel2(time: string, baseline: string, sizeM: number): Sentinel2Plan {
  const { x, y, widthM: width, heightM: height } = around('town', sizeM);
  return {
    satellite: 'S2A',
    atMs: atMs(time),
    sequence: 0,
    baseline,
    sky,
    seed: 7,
    window: { x, y, width, height },
  };
}

const toPart = (key: string, dataset: string, content: object): SmallProduct => ({
  dataset,
  part: { key, cost: 1, ...content } as DemoPart,
});

function toLandsat(mission: LandsatPlan['mission'], time: string, collection: 1 | 2 = 2): SmallProduct {
  const isCoarse = mission.endsWith('mss');
  const window = around('town', isCoarse ? 3300 : 1500);
  const plan: LandsatPlan = { mission, collection, atMs: atMs(time), window, sky };
  return toPart(`${mission}-c${collection}`, mission, { kind: 'landsat', plan });
}

function toCbers4(camera: Cbers4Plan['camera'], sizeM: number): SmallProduct {
  const plan: Cbers4Plan = {
    camera,
    atMs: atMs('2018-07-09T18:54'),
    window: around('town', sizeM),
    pixelM: null,
    sky,
    seed: 7,
  };
  const dataset = `cbers4${camera.toLowerCase()}`;
  return toPart(dataset, dataset, { kind: 'cbers4', plan });
}

function toNaip(samples: NaipPlan['samples'], time: string): SmallProduct {
  const plan: NaipPlan = { atMs: atMs(time), samples, ...spots.town, cropM: 120, seed: 7 };
  return toPart(`naip-${samples}`, 'naip', { kind: 'naip', plan });
}

/** The small products, in the order of the sensors. */
export const smallProducts: readonly SmallProduct[] = [
  toPart('sentinel2-l1c-polygons', 'sentinel2', {
    kind: 'sentinel2-l1c',
    plan: { ...toSentinel2('2021-06-14T19:10', '03.01', 720), layout: 'bucket' },
  }),
  toPart('sentinel2-l1c-images', 'sentinel2', {
    kind: 'sentinel2-l1c',
    plan: { ...toSentinel2('2026-06-21T19:10', '05.11', 720), layout: 'safe' },
  }),
  toPart('sentinel2-l2a', 'sentinel2l2a', {
    kind: 'sentinel2-l2a',
    plan: toSentinel2('2026-06-21T19:10', '05.11', 960),
  }),
  toPart('sentinel2-l2a-offset', 'sentinel2l2a', {
    kind: 'sentinel2-l2a',
    plan: { ...toSentinel2('2026-07-01T19:10', '05.11', 720), isOffsetApplied: false },
  }),
  toLandsat('landsat9', '2026-05-06T19:00'),
  toLandsat('landsat8', '2025-07-14T19:00'),
  toLandsat('landsat8', '2019-08-06T19:00', 1),
  toLandsat('landsat7', '2008-07-22T19:00'),
  toLandsat('landsat5tm', '1995-08-04T18:40'),
  toLandsat('landsat4tm', '1990-07-11T18:40'),
  toLandsat('landsat5mss', '1986-06-22T18:40'),
  toLandsat('landsat4mss', '1983-08-19T18:40'),
  toPart('modis', 'modis', {
    kind: 'modis',
    plan: { atMs: atMs('2025-07-14T19:00'), window: around('town', 18_000), seed: 7 },
  }),
  toCbers4('MUX', 1500),
  toCbers4('AWFI', 4500),
  toCbers4('PAN10M', 840),
  toCbers4('PAN5M', 480),
  toNaip('rgbir', '2023-07-12T17:30'),
  toNaip('rgb', '2015-08-20T17:30'),
  toPart('sentinel1', 'sentinel1', {
    kind: 'sentinel1',
    plan: {
      atMs: atMs('2025-09-11T14:20'),
      pass: 'descending',
      window: around('farm', 4500),
      spacingM: 30,
      nearIncidenceDeg: 36,
      seed: 7,
    },
  }),
];

/** Keys of one of each writer, whose bytes are written down; the two of Sentinel-2 lie on the same grid. */
export const approvedProducts = [
  ...['sentinel2-l1c-images', 'sentinel2-l2a-offset', 'landsat7-c2', 'modis', 'cbers4pan5m', 'naip-rgbir'],
  'sentinel1',
] as const;
