import type { AreaGeometry, Ring } from '../../../geo/index.ts';
import { areasIntersect } from '../../../geo/index.ts';
import type { DocumentLocation } from '../addresses.ts';
import type { StacItem } from '../item.ts';
import { toItemArea, toNumber, toTime } from '../item.ts';

/** What a source yields. */
export type Found =
  /** JSON that should be an item. */
  | {
      readonly kind: 'item';
      readonly value: unknown;
      readonly location: DocumentLocation;
      /** Set if the source says that no other item follows. */
      readonly isLast?: true;
    }
  /** The number of items, as the source gives it. */
  | { readonly kind: 'total'; readonly total: number }
  /** A document that cannot be used; `ends` if nothing can follow it. */
  | {
      readonly kind: 'fault';
      readonly name: string;
      readonly code: string;
      readonly reason: string;
      readonly ends?: true;
      /** It was skipped, and is not broken. */
      readonly isSkipped?: boolean;
    };

/** Limits of sources. */
export interface SourceLimits {
  readonly maxPages: number;
  /** Catalogs, collections and items that are reached by links. */
  readonly maxDocuments: number;
  readonly maxDepth: number;
  /** Size of one document or page. */
  readonly maxBytes: number;
}

/**
 * A page of a hundred Sentinel-2 items has 5 MB. Ten thousand pages are a million items, which the catalog is designed
 * for; static catalogs need a request per item, so a hundred thousand already take hours.
 */
export const SOURCE_LIMITS: SourceLimits = {
  maxPages: 10_000,
  maxDocuments: 100_000,
  maxDepth: 20,
  maxBytes: 64 * 2 ** 20,
};

/** Filters of items; null for no limit. */
export interface StacFilters {
  /** West above east crosses the antimeridian. */
  readonly bbox: readonly [west: number, south: number, east: number, north: number] | null;
  /** Days, both included. */
  readonly date: { readonly from: string | null; readonly to: string | null } | null;
  readonly maxCloudPercent: number | null;
  readonly limit: number | null;
  readonly collections: readonly string[];
}

/** Filters of single items. */
interface ItemFilters extends Omit<StacFilters, 'limit'> {
  /** Only items that touch this area. */
  readonly area?: AreaGeometry;
}

/**
 * Whether an item matches, whatever its server has filtered already. An item without cloud cover does not match if
 * clouds are limited; a span of time matches if any part of it does.
 */
export function isWanted(item: StacItem, filters: ItemFilters): boolean {
  const { collections, maxCloudPercent, bbox, date, area } = filters;
  if (collections.length > 0 && !collections.includes(item.collection ?? '')) return false;
  if (maxCloudPercent !== null) {
    const cloud = toNumber(item.properties['eo:cloud_cover']);
    if (cloud === null || cloud > maxCloudPercent) return false;
  }
  return (
    (date === null || isOnDays(item, date)) &&
    (bbox === null || isInArea(item, toBoxArea(bbox))) &&
    (area === undefined || isInArea(item, area))
  );
}

function isOnDays({ properties }: StacItem, { from, to }: NonNullable<StacFilters['date']>): boolean {
  const time = toTime(properties.datetime);
  const start = toTime(properties.start_datetime) ?? time;
  const end = toTime(properties.end_datetime) ?? time;
  if (start === null || end === null) return false;
  return (from === null || end.slice(0, 10) >= from) && (to === null || start.slice(0, 10) <= to);
}

function isInArea({ geometry }: StacItem, wanted: AreaGeometry): boolean {
  const area = toItemArea(geometry);
  return area !== null && areasIntersect(area, wanted);
}

function toBoxArea([west, south, east, north]: NonNullable<StacFilters['bbox']>): AreaGeometry {
  const end = east < west ? east + 360 : east;
  const ring: Ring = [
    [west, south],
    [end, south],
    [end, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}
