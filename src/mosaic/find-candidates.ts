import { makeTtlCache } from '../async/index.ts';
import type { FieldFilter, SceneHit, SceneQuery, SceneStore } from '../catalog/index.ts';
import type { AreaGeometry, Bounds, Grid } from '../geo/index.ts';
import { areasIntersect, gridBounds, tileAt, tileGrid } from '../geo/index.ts';
import { projectBounds } from '../proj/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import { DAY_MS } from '../units.ts';
import { unavailable } from './errors.ts';
import type { MosaicSearch, Selection } from './mosaic.ts';

/** The scenes of a mosaic that touch some ground, in the order of its selection. */
export interface Candidates {
  readonly hits: readonly SceneHit[];
  /** How many there are; more than `hits` where not all were read. */
  readonly found: number;
}

/** Finds the scenes of a mosaic that touch a grid. */
export interface FindCandidates {
  (search: MosaicSearch, selection: Selection, grid: Grid): Promise<Candidates>;
  /** Searches again for everything, after records were changed. */
  forgetAll(): void;
}

interface CandidateDeps {
  readonly scenes: Pick<SceneStore, 'searchHits'>;
  readonly nowMs: () => number;
}

/** The max number of scenes that one picture looks at; with more, their list alone takes the main thread too long. */
export const MAX_CANDIDATES = 256;

/** The tiles of a screen share a search, and a new scene appears after this time. */
const FRESH_MS = 5_000;
const MOST_REMEMBERED = 256;

/** A search is made for the ground of a tile this many zoom levels above: 16 tiles share it. */
const SHARED_ZOOMS = 2;

/** Builds the search for candidates. It caches for a short time what it found. */
export function makeFindCandidates({ scenes, nowMs }: CandidateDeps): FindCandidates {
  const recent = makeTtlCache<Candidates>({
    name: 'mosaic-scenes',
    nowMs,
    freshMs: FRESH_MS,
    max: MOST_REMEMBERED,
  });

  const findIn = (search: MosaicSearch, selection: Selection, ground: AreaGeometry): Promise<Candidates> =>
    recent.find(JSON.stringify([toSearchKey(search), selection, ground]), () =>
      read(scenes, search, selection, ground),
    );

  const find = async (search: MosaicSearch, selection: Selection, grid: Grid): Promise<Candidates> => {
    const ground = toGround(grid);
    const shared = toSharedGround(grid);
    if (shared !== null) {
      const around = await findIn(search, selection, shared);
      if (around.hits.length === around.found) return within(around, ground);
    }
    return within(await findIn(search, selection, ground), ground);
  };
  return Object.assign(find, { forgetAll: recent.forgetAll });
}

/** What identifies the scenes of a mosaic; the outline of its area is not a part of it. */
export const toSearchKey = ({ datasets, isRanked, period, maxCloudPercent, area }: MosaicSearch): string =>
  JSON.stringify([
    datasets,
    period.from,
    period.to,
    maxCloudPercent,
    area?.ref ?? null,
    ...(isRanked === true ? ['ranked'] : []),
  ]);

function within({ hits, found }: Candidates, ground: AreaGeometry): Candidates {
  const inside = hits.filter(({ footprint }) => areasIntersect(footprint, ground));
  return { hits: inside, found: found === hits.length ? inside.length : found };
}

async function read(
  scenes: CandidateDeps['scenes'],
  search: MosaicSearch,
  selection: Selection,
  ground: AreaGeometry,
): Promise<Candidates> {
  // Each dataset by itself where they are ranked: many scenes of one must not crowd out those that go before them.
  const searches =
    search.isRanked === true ? search.datasets.map((id) => ({ ...search, datasets: [id] })) : [search];
  const pages = await Promise.all(
    searches.flatMap((one) => toQueries(one, selection, ground)).map((query) => scenes.searchHits(query)),
  );
  for (const { catalogs = [] } of pages) {
    const problem = catalogs.find((note) => note.problem !== null)?.problem;
    // A mosaic without some of its scenes would look complete.
    if (problem != null) throw unavailable('catalog-incomplete', problem.message);
  }
  const found = pages.reduce((sum, page) => sum + page.found, 0);
  const hits = pages
    .flatMap((page) => page.hits)
    .filter(({ footprint }) => search.area === null || areasIntersect(footprint, search.area.geometry))
    .toSorted(makeOrder(selection, search));
  const dropped = pages.reduce((sum, page) => sum + page.hits.length, 0) - hits.length;
  return { hits: hits.slice(0, MAX_CANDIDATES), found: found - dropped };
}

/** The searches that find the first candidates: the nearest to a day come from both sides of it. */
function toQueries(
  { datasets, period, maxCloudPercent }: MosaicSearch,
  selection: Selection,
  ground: AreaGeometry,
): readonly SceneQuery[] {
  const toQuery = (from: string, to: string, sort: SceneQuery['sort']): SceneQuery => ({
    datasets: datasets.map((id) => ({ id, filters: toSceneFilters(id, from, to, maxCloudPercent) })),
    shape: { geometry: ground, relation: 'intersects' },
    sort,
    offset: 0,
    limit: MAX_CANDIDATES,
  });
  const byDate = (descending: boolean) => ({ field: 'date', descending });
  const { from, to } = period;
  if (selection.kind === 'oldest') return [toQuery(from, to, byDate(false))];
  if (selection.kind === 'least-cloudy')
    return [toQuery(from, to, { field: 'cloudCoverage', descending: false })];
  if (selection.kind !== 'nearest' || selection.date <= from || selection.date > to) {
    const isAfter = selection.kind === 'nearest' && selection.date <= from;
    return [toQuery(from, to, byDate(!isAfter))];
  }
  const before = new Date(Date.parse(selection.date) - DAY_MS).toISOString().slice(0, 10);
  return [toQuery(selection.date, to, byDate(false)), toQuery(from, before, byDate(true))];
}

/** The search for the least cloudy scenes of a mosaic, wherever they are. */
export const toSampleQuery = (
  { datasets, period, maxCloudPercent, area }: MosaicSearch,
  limit: number,
): SceneQuery => ({
  datasets: datasets.map((id) => ({
    id,
    filters: toSceneFilters(id, period.from, period.to, maxCloudPercent),
  })),
  ...(area === null ? {} : { shape: { geometry: area.geometry, relation: 'intersects' } }),
  sort: { field: 'cloudCoverage', descending: false },
  offset: 0,
  limit,
});

/** What a search for scenes of some days says. Sensors without clouds have no such field: a limit on clouds does not leave them out. */
export function toSceneFilters(
  dataset: string,
  from: string,
  to: string,
  maxCloudPercent: number | null,
): readonly FieldFilter[] {
  const filters: FieldFilter[] = [{ field: 'date', kind: 'range', from, to }];
  const hasClouds = sensorByDataset(dataset)?.hitFields.cloudCoverage !== undefined;
  if (maxCloudPercent !== null && hasClouds)
    filters.push({ field: 'cloudCoverage', kind: 'range', to: maxCloudPercent });
  return filters;
}

type Order = (a: SceneHit, b: SceneHit) => number;

/** Orders the scenes of a search by a selection: total, so that equal catalogs give equal pictures. */
export function makeOrder(
  selection: Selection,
  { datasets, isRanked }: Pick<MosaicSearch, 'datasets' | 'isRanked'>,
): Order {
  const order = makeSelectionOrder(selection);
  if (isRanked !== true) return order;
  return (a, b) => datasets.indexOf(a.dataset) - datasets.indexOf(b.dataset) || order(a, b);
}

function makeSelectionOrder(selection: Selection): Order {
  const newest = (a: SceneHit, b: SceneHit): number =>
    compare(b.acquiredAt, a.acquiredAt) || compare(a.viewId, b.viewId);
  switch (selection.kind) {
    case 'oldest':
      return (a, b) => compare(a.acquiredAt, b.acquiredAt) || compare(a.viewId, b.viewId);
    case 'least-cloudy': {
      // A scene that does not state its clouds may be full of them.
      const cloudsOf = ({ cloudPercent }: SceneHit): number =>
        cloudPercent === null || cloudPercent < 0 ? 100 : cloudPercent;
      return (a, b) => cloudsOf(a) - cloudsOf(b) || newest(a, b);
    }
    case 'nearest': {
      const noon = Date.parse(`${selection.date}T12:00:00Z`);
      const distanceOf = ({ acquiredAt }: SceneHit): number => Math.abs(Date.parse(acquiredAt) - noon);
      return (a, b) => distanceOf(a) - distanceOf(b) || newest(a, b);
    }
    default:
      return newest;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The ground of a grid in longitude and latitude: the rectangle around it, in two parts across the antimeridian. */
export function toGround(grid: Grid): AreaGeometry {
  const bounds = projectBounds(gridBounds(grid), grid.epsg, 4326) ?? WORLD;
  const [south, north] = [Math.max(-90, bounds.minY), Math.min(90, bounds.maxY)];
  if (bounds.maxX - bounds.minX >= 360) return toArea([{ ...WORLD, minY: south, maxY: north }]);
  // Into the range from -180 to 180, where it begins.
  const turn = Math.floor((bounds.minX + 180) / 360) * 360;
  const [west, east] = [bounds.minX - turn, bounds.maxX - turn];
  const parts =
    east <= 180
      ? [{ minX: west, maxX: east, minY: south, maxY: north }]
      : [
          { minX: west, maxX: 180, minY: south, maxY: north },
          { minX: -180, maxX: east - 360, minY: south, maxY: north },
        ];
  return toArea(parts);
}

const WORLD: Bounds = { minX: -180, minY: -90, maxX: 180, maxY: 90 };

function toArea(parts: readonly Bounds[]): AreaGeometry {
  const rings = parts.map(({ minX, minY, maxX, maxY }) => [
    [
      [minX, minY],
      [maxX, minY],
      [maxX, maxY],
      [minX, maxY],
      [minX, minY],
    ] as const,
  ]);
  return rings.length === 1
    ? { type: 'Polygon', coordinates: rings[0] as (typeof rings)[number] }
    : { type: 'MultiPolygon', coordinates: rings };
}

/** The ground of the tile above; null for what is not a part of a tile. */
function toSharedGround(grid: Grid): AreaGeometry | null {
  if (grid.epsg !== 3857) return null;
  const { minX, maxX, minY, maxY } = gridBounds(grid);
  const zoom = Math.round(Math.log2(WORLD_M / Math.max(maxX - minX, maxY - minY))) - SHARED_ZOOMS;
  if (zoom < 0) return null;
  const tile = tileAt(zoom, (minX + maxX) / 2, (minY + maxY) / 2);
  const around = gridBounds(tileGrid(tile));
  const slack = (maxX - minX) * 1e-9;
  const isInside =
    minX >= around.minX - slack &&
    maxX <= around.maxX + slack &&
    minY >= around.minY - slack &&
    maxY <= around.maxY + slack;
  return isInside ? toGround(tileGrid(tile)) : null;
}

const WORLD_M = gridBounds(tileGrid({ z: 0, x: 0, y: 0 })).maxX * 2;
