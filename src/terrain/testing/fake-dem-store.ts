import type { LonLatBounds } from '../../geo/index.ts';
import type { Dem, DemFile, DemStore, ListedDem } from '../dem.ts';

/** A store in memory, with a record of its writes. */
export interface FakeDemStore extends DemStore {
  readonly dems: ReadonlyMap<string, Dem>;
  readonly files: ReadonlyMap<string, DemFile>;
  /** Names of the writing calls since the last call of this. */
  takeWrites(): readonly string[];
}

/** Makes an empty store. Records go through JSON, as in a database. */
export function makeFakeDemStore(): FakeDemStore {
  const dems = new Map<string, Dem>();
  const files = new Map<string, DemFile>();
  let writes: string[] = [];
  const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
  const ordered = (wanted: (file: DemFile) => boolean) =>
    [...files.values()].filter(wanted).sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    dems,
    files,
    takeWrites() {
      const taken = writes;
      writes = [];
      return taken;
    },
    async putDem(dem) {
      writes.push('putDem');
      dems.set(dem.name, copy(dem));
    },
    async putFiles(given) {
      writes.push(`putFiles ${given.length}`);
      for (const { dem } of given) if (!dems.has(dem)) throw new Error(`the model ${dem} is not stored`);
      for (const file of given) files.set(file.id, copy(file));
    },
    async list() {
      const listed = [...dems.values()].flatMap((dem) => {
        const own = ordered((file) => file.dem === dem.name && file.overview === 0);
        return own.length === 0 ? [] : [toListed(dem, own)];
      });
      return listed.sort((a, b) => a.order - b.order || a.finestM - b.finestM || (a.name < b.name ? -1 : 1));
    },
    find: async (name) => dems.get(name) ?? null,
    async findFiles(layers, bounds, limit) {
      const isWanted = (file: DemFile) =>
        layers.some(({ dem, overview }) => file.dem === dem && file.overview === overview) &&
        meets(file.bounds, bounds);
      return ordered(isWanted).slice(0, limit);
    },
    async *listFiles({ dem, overview }) {
      yield* ordered((file) => file.dem === dem && file.overview === overview);
    },
    async removeFiles(ids) {
      writes.push(`removeFiles ${ids.length}`);
      for (const id of ids) files.delete(id);
    },
    async removeDem(name) {
      writes.push('removeDem');
      if (!dems.delete(name)) return null;
      const own = ordered((file) => file.dem === name);
      for (const { id } of own) files.delete(id);
      return own.filter(({ overview }) => overview === 0).length;
    },
  };
}

const meets = (a: LonLatBounds, b: LonLatBounds): boolean =>
  a.south <= b.north &&
  a.north >= b.south &&
  [-360, 0, 360].some((turn) => a.west + turn <= b.east && a.east + turn >= b.west);

/** A hull as if nothing lay across the antimeridian. */
const toListed = (dem: Dem, files: readonly DemFile[]): ListedDem => ({
  ...dem,
  fileCount: files.length,
  finestM: Math.min(...files.map(({ resolutionM }) => resolutionM)),
  coarsestM: Math.max(...files.map(({ resolutionM }) => resolutionM)),
  bounds: {
    west: Math.min(...files.map(({ bounds }) => bounds.west)),
    south: Math.min(...files.map(({ bounds }) => bounds.south)),
    east: Math.max(...files.map(({ bounds }) => bounds.east)),
    north: Math.max(...files.map(({ bounds }) => bounds.north)),
  },
});

/** A model of plain facts; everything can be overridden. */
export const makeDem = (name: string, more: Partial<Dem> = {}): Dem => ({
  name,
  order: 0,
  gaps: 'unknown',
  attribution: null,
  overviews: [],
  ingestedAt: '2026-06-01T00:00:00.000Z',
  ...more,
});

/** A file of one square degree, from its south-western corner; everything can be overridden. */
export function makeDemFile(dem: string, west: number, south: number, more: Partial<DemFile> = {}): DemFile {
  const { overview = 0, href = `terrain/${dem}/${overview}/${west}_${south}.tif` } = more;
  return {
    id: more.href === undefined ? `${dem} ${overview} ${west} ${south}` : `${dem} ${overview} ${href}`,
    dem,
    overview,
    format: 'tiff',
    href,
    bandIndex: 0,
    epsg: 4326,
    transform: [west, 1 / 3600, 0, south + 1, 0, -1 / 3600],
    width: 3600,
    height: 3600,
    levels: [{ width: 1800, height: 1800 }],
    nodata: -32_768,
    scale: 1,
    offset: 0,
    stepM: 1,
    resolutionM: 30,
    bounds: { west, south, east: west + 1, north: south + 1 },
    stamps: ['state'],
    ...more,
  };
}
