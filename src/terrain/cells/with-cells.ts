/**
 * The store of elevation models with a model behind it that nobody has ingested: its files are cells of a public store,
 * which are looked at when a picture first needs them. Everything else of the service sees one `DemStore`.
 */
import { makeTtlCache } from '../../async/index.ts';
import type { LonLatBounds } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { DemFile, DemStore, ListedDem } from '../dem.ts';
import { tooManyFiles } from '../dem-lookup.ts';
import { isGeographic } from '../plan/mercator.ts';
import type { Cell } from './copernicus-cell.ts';
import { listCells, toCellName } from './copernicus-cell.ts';

interface CellsDeps {
  /** The model as it is listed, with a name that no ingested one can have. */
  readonly model: ListedDem;
  /** Reads the header of a cell's tile; null if there is none, because the cell is all sea. Throws if it cannot know. */
  readonly readCell: (cell: Cell, signal: AbortSignal) => Promise<DemFile | null>;
  readonly nowMs: () => number;
}

/** The Earth has 64,800 cells; a record has a kilobyte. */
const MOST_CELLS = 16_000;
/** How long a cell without a tile counts as sea. */
const SEA_MS = 24 * 3_600_000;

/** Joins the store with a model of cells, which is used where no ingested one has heights. */
export function withCells(store: DemStore, { model, readCell, nowMs }: CellsDeps): DemStore {
  // A tile that is replaced is noticed by its state when pixels are read.
  const cells = makeTtlCache<DemFile | null>({
    nowMs,
    freshMs: Number.POSITIVE_INFINITY,
    absentMs: SEA_MS,
    max: MOST_CELLS,
  });
  /** Names of cells by the ids of their files. */
  const names = makeLru<string>({ max: MOST_CELLS });
  const isOurs = ({ dem }: Pick<DemFile, 'dem'>): boolean => dem === model.name;

  async function findCell(cell: Cell): Promise<DemFile | null> {
    const name = toCellName(cell);
    const file = await cells.find(name, ({ signal }) => readCell(cell, signal));
    if (file !== null) names.set(file.id, name);
    return file;
  }

  async function findCells(bounds: LonLatBounds, limit: number): Promise<readonly DemFile[]> {
    // Nothing is asked for where it is not needed: ingested heights stay when the public store is out of reach.
    if (await isIngested(store, bounds, limit)) return [];
    const wanted = listCells(bounds, limit);
    if (wanted.length >= limit) throw tooManyFiles(model, limit - 1);
    const found = await Promise.all(wanted.map(findCell));
    return found.filter((file) => file !== null);
  }

  return {
    ...store,
    async list() {
      const stored = await store.list();
      // A model that says where there is sea knows the whole Earth: nothing is left for another one.
      return stored.some(({ gaps }) => gaps === 'sea') ? stored : [...stored, model];
    },
    async findFiles(layers, bounds, limit) {
      const stored = layers.filter((layer) => !isOurs(layer));
      const [own, live] = await Promise.all([
        stored.length > 0 ? store.findFiles(stored, bounds, limit) : [],
        layers.some(isOurs) ? findCells(bounds, limit) : [],
      ]);
      return [...own, ...live].toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
    },
    async putFiles(files) {
      // The tile of a cell was replaced. It is read again, and checked like a new one.
      for (const { id } of files.filter(isOurs)) cells.forget(names.get(id) ?? '');
      const stored = files.filter((file) => !isOurs(file));
      if (stored.length > 0) await store.putFiles(stored);
    },
  };
}

/** Whether the files of one ingested model give every height within bounds. */
async function isIngested(store: DemStore, bounds: LonLatBounds, limit: number): Promise<boolean> {
  const layers = (await store.list()).map(({ name }) => ({ dem: name, overview: 0 }));
  if (layers.length === 0) return false;
  const files = (await store.findFiles(layers, bounds, limit)).filter(isWhole);
  return layers.some(({ dem }) =>
    isCovered(
      bounds,
      files.filter((file) => file.dem === dem).map((file) => file.bounds),
    ),
  );
}

/** Whether a file fills its bounds, and has no voids in them. */
const isWhole = ({ format, epsg, proj, transform, nodata }: DemFile): boolean =>
  format === 'tiff' &&
  nodata === null &&
  proj === undefined &&
  isGeographic(epsg) &&
  transform[2] === 0 &&
  transform[4] === 0;

/** Files that lie next to each other may miss each other by this, in degrees: their edges are computed. */
const SLIVER_DEG = 1e-9;

/** Whether rectangles cover bounds without a gap. The lines of all edges divide the bounds; each part is in one or not. */
export function isCovered(bounds: LonLatBounds, rectangles: readonly LonLatBounds[]): boolean {
  if (rectangles.length === 0) return false;
  const turned = rectangles.flatMap((one) =>
    [-360, 0, 360].map((turn) => ({ ...one, west: one.west + turn, east: one.east + turn })),
  );
  const columns = toMiddles(
    [bounds.west, bounds.east],
    turned.flatMap(({ west, east }) => [west, east]),
  );
  const rows = toMiddles(
    [bounds.south, bounds.north],
    turned.flatMap(({ south, north }) => [south, north]),
  );
  return columns.every((lon) =>
    rows.every((lat) =>
      turned.some(
        ({ west, south, east, north }) => west <= lon && lon <= east && south <= lat && lat <= north,
      ),
    ),
  );
}

/** The middles of the parts that edges divide a span into. */
function toMiddles([from, to]: readonly [number, number], edges: readonly number[]): readonly number[] {
  const lines = [from, ...edges.filter((edge) => edge > from && edge < to), to].toSorted((a, b) => a - b);
  return lines.slice(1).flatMap((line, i) => {
    const before = lines[i]!;
    return line - before < SLIVER_DEG ? [] : [(line + before) / 2];
  });
}
