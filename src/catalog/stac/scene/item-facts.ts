import type { AreaGeometry } from '../../../geo/index.ts';
import type { Sensor } from '../../../sensors/index.ts';
import type { FindScene, SceneFacts } from '../../families/scene-facts.ts';
import { toItemArea } from '../../item/area.ts';
import type { StacAsset, StacItem } from '../../item/item.ts';
import { toNumber, toTime } from '../../item/json.ts';
import type { ItemKind } from './collections.ts';
import type { BandAsset } from './match-bands.ts';

/** All that an item says about its scene beside its files. */
export interface ItemFacts
  extends Pick<
    SceneFacts,
    | 'viewId'
    | 'sceneId'
    | 'productId'
    | 'acquiredAt'
    | 'processed'
    | 'cloudPercent'
    | 'sunElevationDeg'
    | 'sunAzimuthDeg'
    | 'coveragePercent'
    | 'fields'
    | 'placementOf'
    | 'notes'
  > {
  readonly sensor: Sensor;
  /** The place as the item states it; null when it states none that can be used. */
  readonly area: AreaGeometry | null;
  /** physical = stored * scale + offset, for a file of a band. */
  readonly scaleOf: (found: BandAsset) => { readonly scale: number; readonly offset: number };
  /** Of the bands that are there, by name. */
  readonly detailsOf: (
    bands: ReadonlyMap<string, BandAsset>,
  ) => Pick<SceneFacts, 'calibration' | 'cloudMask'>;
  /** True when items of the kind do not say rightly where an image lies, so that its file has to be read. */
  readonly isPlacedByFile: boolean;
}

/** What describing an item may ask for. */
export interface DescribeTools {
  readonly findScene: FindScene;
  /** The text of a file of the item; null when no files are read, or this one cannot be. */
  readonly readText: (asset: StacAsset) => Promise<string | null>;
}

/** Says which scene an item is. */
export type Describe = (
  item: StacItem,
  known: { readonly kind: ItemKind; readonly sensors: readonly Sensor[] },
  tools: DescribeTools,
) => Promise<ItemFacts>;

/** What items of all kinds say in the same words, of the newest and of the oldest versions. */
export function toCommonFacts({ properties, geometry }: StacItem) {
  const first = (names: readonly string[], bounds: [number, number]) =>
    names.map((name) => toNumber(properties[name], bounds)).find((value) => value !== null) ?? null;
  const zenith = first(['s2:mean_solar_zenith'], [0, 180]);
  return {
    cloudPercent: first(['eo:cloud_cover'], [0, 100]),
    sunElevationDeg:
      first(['view:sun_elevation', 'eo:sun_elevation'], [-90, 90]) ?? (zenith === null ? null : 90 - zenith),
    sunAzimuthDeg: first(['view:sun_azimuth', 'eo:sun_azimuth', 's2:mean_solar_azimuth'], [-180, 360]),
    area: toItemArea(geometry),
  };
}

/** When an item's scene was taken; of a span the beginning. Null when it does not say. */
export const toItemTime = ({ properties }: StacItem): string | null =>
  toTime(properties.datetime) ?? toTime(properties.start_datetime);

/** The time of an item if it lies on the day the name says; else the beginning of that day. */
export function timeOnDay(item: StacItem, day: string): string {
  const time = toItemTime(item);
  return time?.slice(0, 10) === day ? time : `${day}T00:00:00.000Z`;
}

/** What most kinds have in common. */
export const NOTHING_SPECIAL = {
  productId: null,
  processed: '',
  coveragePercent: null,
  scaleOf: () => ({ scale: 1, offset: 0 }),
  detailsOf: () => ({ calibration: null, cloudMask: null }),
  placementOf: () => undefined,
  notes: [],
  isPlacedByFile: false,
} as const satisfies Partial<ItemFacts>;

/** The first part of any text of an item (its id, then its addresses) that a pattern finds. */
export function findInNames({ id, assets }: StacItem, pattern: RegExp): RegExpExecArray | null {
  for (const text of [id, ...assets.flatMap(({ hrefs }) => hrefs)]) {
    const found = pattern.exec(text);
    if (found !== null) return found;
  }
  return null;
}
