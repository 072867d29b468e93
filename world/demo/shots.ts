import type { Climate } from '../climate/climate.ts';
import type { SkyPlan } from '../light/exposure.ts';
import type { Cbers4Plan } from '../products/cbers4/plan.ts';
import type { LandsatPlan } from '../products/landsat/write-landsat.ts';
import type { LocalWindow } from '../products/local-window.ts';
import type { NaipPlan } from '../products/naip/plan.ts';
import type { Sentinel1Plan } from '../products/sentinel1/plan.ts';
import { DAY_MS, frame, spots, toDay } from '../setting.ts';
import type { DemoPart } from './demo-part.ts';

type Spot = keyof typeof spots;

interface Shot {
  readonly area: LocalWindow;
  readonly sky?: SkyPlan;
}

interface Sentinel2Shot extends Shot {
  /** Coarser pixels, for areas that would be too large otherwise. */
  readonly finestM?: number;
  /** Number among the recordings of the day: those of other areas than the series count from 1. */
  readonly sequence?: number;
  readonly layout?: 'bucket' | 'safe';
}

/** Hours of the day, UTC, at which satellites pass here. */
const HOUR = { sentinel2: 19.17, landsat: 19, cbers4: 18.9, descending: 14.33, ascending: 2, naip: 17.5 };

const toMs = (date: string, hour: number): number => Math.round((toDay(date) + hour / 24) * DAY_MS);

/** What the series shows: bends of the river, fields and the edge of the town; two years of it must fit on the disk. */
export const SERIES = { x: 44_400, y: 58_900 };
const SERIES_M = 5400;

/**
 * Plans of products by a few words each. `isFull` widens every area to the whole world and takes pixels in their own
 * size.
 */
export function makeShots(isFull: boolean) {
  const whole = around({ x: frame.sizeM / 2, y: frame.sizeM / 2 }, frame.sizeM);
  const area = (spot: Spot, sizeM: number): LocalWindow => (isFull ? whole : around(spots[spot], sizeM));
  const countPixels = ({ widthM, heightM }: LocalWindow, pixelM: number): number =>
    (widthM / pixelM) * (heightM / pixelM);

  return {
    whole,
    area,
    series: around(SERIES, SERIES_M),

    sentinel2(level: 'l1c' | 'l2a', date: string, shot: Sentinel2Shot): DemoPart {
      const { sequence = 0, layout = 'bucket', sky = clearSky(toDay(date)) } = shot;
      const { x, y, widthM: width, heightM: height } = shot.area;
      const finestM = isFull ? 10 : (shot.finestM ?? 10);
      const plan = {
        satellite: toDay(date) % 10 < 5 ? 'S2A' : 'S2B',
        atMs: toMs(date, HOUR.sentinel2),
        sequence,
        // The last baseline without and a late one with the offset and cloud images.
        baseline: date < '2022-01-25' ? '03.01' : '05.11',
        window: { x, y, width, height },
        finestM,
        sky,
        seed: toDay(date),
      } as const;
      const key = `sentinel2-${level}-${date}-${sequence}`;
      const megapixels = countPixels(shot.area, finestM) / 1e6;
      return level === 'l2a'
        ? { key, cost: 2 * megapixels, kind: 'sentinel2-l2a', plan }
        : { key, cost: 6 * megapixels, kind: 'sentinel2-l1c', plan: { ...plan, layout } };
    },

    landsat(
      mission: LandsatPlan['mission'],
      date: string,
      { area: window, sky = clearSky(toDay(date)), collection = 2 }: Shot & { readonly collection?: 1 | 2 },
    ): DemoPart {
      const plan: LandsatPlan = { mission, collection, atMs: toMs(date, HOUR.landsat), window, sky };
      return { key: `${mission}-${date}`, cost: 4 * (countPixels(window, 30) / 1e6), kind: 'landsat', plan };
    },

    modis: (date: string): DemoPart => ({
      key: `modis-${date}`,
      cost: 0.3,
      kind: 'modis',
      plan: { atMs: toMs(date, HOUR.landsat), seed: toDay(date) },
    }),

    naip(samples: NaipPlan['samples'], date: string, spot: Spot, cropM: number): DemoPart {
      const plan: NaipPlan = {
        atMs: toMs(date, HOUR.naip),
        samples,
        ...spots[spot],
        cropM: isFull ? null : cropM,
        seed: toDay(date),
      };
      return { key: `naip-${date}`, cost: isFull ? 80 : 2 * (cropM / 1000) ** 2, kind: 'naip', plan };
    },

    cbers4(
      camera: Cbers4Plan['camera'],
      date: string,
      { area: window, sky = clearSky(toDay(date)) }: Shot,
    ): DemoPart {
      const plan: Cbers4Plan = {
        camera,
        atMs: toMs(date, HOUR.cbers4),
        window,
        pixelM: null,
        sky,
        seed: toDay(date),
      };
      return { key: `cbers4-${camera.toLowerCase()}-${date}`, cost: isFull ? 50 : 1, kind: 'cbers4', plan };
    },

    sentinel1(pass: Sentinel1Plan['pass'], date: string, { area: window }: Shot): DemoPart {
      const spacingM = isFull ? 10 : 30;
      const plan: Sentinel1Plan = {
        atMs: toMs(date, HOUR[pass]),
        pass,
        window,
        spacingM,
        nearIncidenceDeg: isFull ? 31 : 36,
        seed: toDay(date),
      };
      return {
        key: `sentinel1-${date}`,
        cost: 3 * (countPixels(window, spacingM) / 1e6),
        kind: 'sentinel1',
        plan,
      };
    },

    terrain: (): DemoPart => ({
      key: 'terrain',
      cost: isFull ? 30 : 4,
      kind: 'terrain',
      plan: { seconds: isFull ? 1 : 3 },
    }),

    weather: (): DemoPart => ({ key: 'weather', cost: 1, kind: 'weather', plan: null }),
  };
}

/** Plans by a few words. */
export type Shots = ReturnType<typeof makeShots>;

/** A square around a location, on the 60 m that all grids of Sentinel-2 share. */
function around({ x, y }: { readonly x: number; readonly y: number }, sizeM: number): LocalWindow {
  const corner = (middle: number): number => Math.round((middle - sizeM / 2) / 60) * 60;
  return { x: corner(x), y: corner(y), widthM: sizeM, heightM: sizeM };
}

/** Hardly a cloud. */
const clearSky = (seed: number): SkyPlan => ({ seed, opaque: 0, cirrus: 0, haze: 0.1 });

/** Scattered clouds over fair weather. */
export const fairSky = (seed: number, opaque = 0.08): SkyPlan => ({ seed, opaque, cirrus: 0.05, haze: 0.15 });

/** The sky on a day of the world's weather; scattered clouds let more through than a report of cloudiness says. */
export function skyOf(climate: Climate, day: number): SkyPlan {
  const { cloudiness, humidity } = climate.dayAt(day);
  const cover = Math.max(0, (cloudiness - 0.15) / 0.85);
  const opaque = Math.min(0.97, cover * cover);
  return { seed: day, opaque, cirrus: 0.25 * cloudiness * (1 - opaque), haze: Math.min(0.6, 0.4 * humidity) };
}
