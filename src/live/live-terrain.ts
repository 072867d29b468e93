/** The elevation model of a live catalog, whose tiles are found and looked at cell by cell. */
import { isSwathError } from '../errors.ts';
import type { HeaderDeps } from '../ingest/index.ts';
import { chooseAddress, parseItem } from '../ingest/index.ts';
import type { Cell, DemFile, ListedDem } from '../terrain/cells/index.ts';
import { findCellFault, readDemFile, toCellName, UNRELEASED } from '../terrain/cells/index.ts';
import { askCatalog } from './ask-catalog.ts';
import type { CatalogClient } from './catalog-client.ts';
import { sourceBroken } from './errors.ts';
import type { LiveCatalog, LiveTerrain } from './live-catalog.ts';

/** The catalog whose elevation model is used: of several, the first; null if none has one. */
export const findTerrain = <One extends Pick<LiveCatalog, 'terrain'>>(
  catalogs: readonly One[],
): (One & { readonly terrain: LiveTerrain }) | null =>
  catalogs.find((one): one is One & { readonly terrain: LiveTerrain } => one.terrain !== null) ?? null;

/** The name of the model in the service. No ingested model can be called so: their names have no slash. */
const toModelName = ({ name, terrain }: { readonly name: string; readonly terrain: LiveTerrain }): string =>
  `${name}/${terrain.name}`;

/** The model of the first catalog that has one, as stores list models; null if none has one. */
export function toLiveModel(catalogs: readonly LiveCatalog[]): ListedDem | null {
  const catalog = findTerrain(catalogs);
  if (catalog === null) return null;
  return {
    name: toModelName(catalog),
    // After all that operators have ingested.
    order: Number.MAX_SAFE_INTEGER,
    gaps: 'sea',
    attribution: catalog.terrain.attribution,
    overviews: [],
    // The day that items of the model state.
    ingestedAt: '2021-04-22T00:00:00.000Z',
    fileCount: 0,
    finestM: 30,
    coarsestM: 31,
    bounds: { west: -180, south: -90, east: 180, north: 90 },
    live: { unreleased: UNRELEASED },
  };
}

/** Reads the header of a cell's tile; null if there is none, because the cell is sea. Throws if neither is certain. */
export type ReadCell = (cell: Cell, signal: AbortSignal) => Promise<DemFile | null>;

interface CellDeps {
  readonly client: CatalogClient;
  readonly terrain: LiveTerrain;
  /** What items of the catalog may refer to. */
  readonly rules: Parameters<typeof chooseAddress>[1]['rules'];
  readonly doors: Omit<HeaderDeps, 'signal'>;
}

/**
 * Builds the reading of cells. A cell is sea only if there is neither a file at its place nor an item in the catalog: a
 * store that has moved, or that refuses us, must not look like an ocean.
 */
export function makeReadCell({ client, terrain, rules, doors }: CellDeps): ReadCell {
  const { catalog } = client;
  const dem = toModelName({ name: catalog.name, terrain });
  let isCollectionKnown = false;

  async function findItem(name: string, signal: AbortSignal): Promise<unknown> {
    const item = await askCatalog(client, (late) => client.readItem(terrain.collection, name, late), {
      signal,
    });
    if (item === null && !isCollectionKnown) await checkCollection(signal);
    return item;
  }

  /** A catalog has no item of a collection that it does not know, either. */
  async function checkCollection(signal: AbortSignal): Promise<void> {
    const found = await askCatalog(client, (late) => client.readCollection(terrain.collection, late), {
      signal,
    });
    if (found === null) {
      throw sourceBroken(
        'no-dem-collection',
        `The catalog ${catalog.title} has no collection ${terrain.collection}, which the settings name for its elevation model.`,
      );
    }
    isCollectionKnown = true;
  }

  async function findAddress(name: string, signal: AbortSignal): Promise<string | null> {
    const value = await findItem(name, signal);
    if (value === null) return null;
    const item = parseItem(value);
    const asset = item.assets.find(({ key }) => key === 'data') ?? item.assets.find(isData);
    if (asset === undefined) {
      throw sourceBroken('dem-cell-wrong', `The item ${name} of the elevation model has no asset "data".`);
    }
    const location = { kind: 'url', url: client.toItemUrl(terrain.collection, name) } as const;
    const { href } = chooseAddress(asset, { item, location, rules });
    return href ?? refuse(name);
  }

  return async (cell, signal) => {
    const name = toCellName(cell);
    const stated = terrain.files?.replaceAll('{cell}', name) ?? null;
    if (stated !== null && !rules.isAllowedHref(stated)) refuse(name);
    const href = stated ?? (await findAddress(name, signal));
    if (href === null) return null;
    try {
      const file = await readDemFile(
        { ...doors, signal },
        { dem, href, bandIndex: 0, unit: null, nodata: null },
      );
      const fault = findCellFault(file, cell);
      if (fault === null) return file;
      throw sourceBroken(
        'dem-cell-wrong',
        `The file of the elevation model is not the tile ${name}: ${fault}.`,
      );
    } catch (error) {
      if (!isAbsent(error)) throw error;
      if (stated !== null && (await findItem(name, signal)) === null) return null;
      throw sourceBroken(
        'dem-cell-missing',
        `The catalog ${catalog.title} lists the tile ${name} of its elevation model, but the file does not exist.`,
        { cause: error },
      );
    }
  };
}

const isData = ({ roles, type }: { readonly roles: readonly string[]; readonly type: string }): boolean =>
  roles.includes('data') && type.startsWith('image/tiff');

/** Statuses of a missing file. A store may answer 403 for one too, but also for other reasons. */
const ABSENT: ReadonlySet<unknown> = new Set([404, 410]);

const isAbsent = (error: unknown): boolean =>
  isSwathError(error) && error.code === 'source-gone' && ABSENT.has(error.details.status);

function refuse(name: string): never {
  throw sourceBroken(
    'dem-cell-not-allowed',
    `The tile ${name} of the elevation model is at an address that the sources of its catalog do not allow.`,
  );
}
