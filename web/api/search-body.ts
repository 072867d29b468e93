/** The body of a search, from what the user asks for. */
import type { Box, Outline } from '../scenes/footprint.ts';
import type { Query } from '../state/search-state.ts';

/** What to search: the user's query, where the map looks, the chosen area, and all datasets for a query that names none. */
export interface SearchRequest {
  readonly query: Query;
  readonly bounds: Box | null;
  readonly area?: Outline | null;
  readonly allDatasets: readonly string[];
}

/** A box as a ring; `null` for one around the whole earth, which filters nothing. */
const toShape = ([west, south, east, north]: Box): object | null => {
  if (east - west >= 360) return null;
  // Longitudes of a map that was dragged around the world are brought back; the ring may cross the antimeridian then.
  const turn = Math.floor((west + 180) / 360) * 360;
  const [left, right] = [west - turn, east - turn > 180 ? east - turn - 360 : east - turn];
  const [bottom, top] = [Math.max(south, -90), Math.min(north, 90)];
  return {
    type: 'Polygon',
    coordinates: [
      [
        [left, bottom],
        [right, bottom],
        [right, top],
        [left, top],
        [left, bottom],
      ],
    ],
  };
};

const toWhere = ({ query: { where }, bounds, area }: SearchRequest): object | null => {
  if (where.kind === 'area') return area ?? null;
  if (where.kind === 'view') return bounds === null ? null : toShape(bounds);
  if (where.kind === 'everywhere' || where.point === null) return null;
  return { type: 'Point', coordinates: [where.point.lon, where.point.lat] };
};

/** The `search` object of the body. */
export const toSearch = (request: SearchRequest): Record<string, unknown> => {
  const { query, allDatasets } = request;
  const search: Record<string, unknown> = { satellites: query.datasets ?? allDatasets };
  const [from, to] = query.day === null ? [query.from, query.to] : [query.day, query.day];
  if (from !== null || to !== null) {
    search.date = { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) };
  }
  if (query.maxCloudPercent !== null) search.cloudCoverage = { to: query.maxCloudPercent };
  const shape = toWhere(request);
  if (shape !== null) search.shape = shape;
  return search;
};

/** The address of searches, from the page on. */
export const SCENE_SEARCH = 'api/lms/search/v2';

/** As many cards as fill two screens; more come when the list is scrolled. */
const PAGE_LIMIT = 50;

/** The order of a list: newest first. */
export const NEWEST_FIRST = { date: 'desc' };

/** The body of a search for a page of scenes; pages count from 1. */
export const toScenePageBody = (request: SearchRequest, page: number): object => ({
  search: toSearch(request),
  sort: NEWEST_FIRST,
  page,
  limit: PAGE_LIMIT,
});
