import { hash } from 'node:crypto';
import { makeTtlCache } from '../../async/index.ts';
import type { Tile } from '../../geo/index.ts';
import { isObject } from '../../json.ts';
import { makeLru } from '../../lru.ts';
import type { ObjectStore } from '../../objects/index.ts';
import type { RenderOptions } from '../../render/index.ts';
import { MIB } from '../../units.ts';
import { toSearchKey } from '../find-candidates.ts';
import type { Mosaic } from '../mosaic.ts';
import type { PyramidTile } from './pyramid-tile.ts';
import { packTile, unpackTile } from './pyramid-tile.ts';

/** What a pyramid is made of: a mosaic, and which numbers of its bands. Its colours do not matter. */
export interface PyramidOrder extends Mosaic {
  readonly values: Pick<RenderOptions, 'calibrated' | 'isComposite' | 'method'>;
}

/** A pyramid as it is stored. */
export interface StoredPyramid {
  readonly order: PyramidOrder;
  /** The id of the key that ordered it. */
  readonly owner: string;
  /** The zoom level of its lowest tiles, which are made of scenes. */
  readonly baseZoom: number;
  /** By the name of each tile, what it was made of: tiles that would be made of the same are not made again. */
  readonly tiles: Readonly<Record<string, string>>;
  /** When it was complete for the last time, ISO 8601; null if it never was. */
  readonly builtAt: string | null;
}

/** The pyramids of mosaics, in the objects of the service. */
export interface PyramidStore {
  find(key: string): Promise<StoredPyramid | null>;
  put(key: string, pyramid: StoredPyramid): Promise<void>;
  findTile(key: string, tile: Tile, madeOf: string): Promise<PyramidTile | null>;
  putTile(key: string, tile: Tile, content: PyramidTile): Promise<void>;
  remove(key: string): Promise<void>;
  /** The keys of all pyramids. */
  list(): Promise<readonly string[]>;
}

/** Identifies the pyramid of a mosaic. */
export const toPyramidKey = ({ search, composition, bands, values }: PyramidOrder): string =>
  hash('sha256', JSON.stringify([toSearchKey(search), composition, bands, values]), 'hex').slice(0, 32);

/** The name of a tile. */
export const toTileName = ({ z, x, y }: Tile): string => `${z}/${x}/${y}`;

/** After this the store is asked again, because another process may have built the pyramid. */
const FRESH_MS = 10_000;
const MOST_REMEMBERED = 64;
/** Tiles in memory: the screens of some people. */
const MEMORY_BYTES = 64 * MIB;
/** A tile of four channels that does not compress. */
const MAX_TILE_BYTES = 2 * MIB;
/** A hundred thousand tiles. */
const MAX_STATE_BYTES = 16 * MIB;

/** Builds the store over objects; what was read last is in memory. */
export function makePyramidStore(objects: ObjectStore, nowMs: () => number): PyramidStore {
  const recent = makeTtlCache<StoredPyramid | null>({
    nowMs,
    freshMs: FRESH_MS,
    absentMs: FRESH_MS,
    max: MOST_REMEMBERED,
  });
  const tiles = makeLru<PyramidTile>({
    name: 'pyramid-tiles',
    max: MEMORY_BYTES,
    sizeOf: ({ channels, mask }) => mask.length * (1 + 4 * channels.length),
  });
  return {
    find: (key) =>
      recent.find(key, async () => {
        const found = await objects.read(`${key}/pyramid.json`, { maxBytes: MAX_STATE_BYTES });
        if (found === null || found === 'same') return null;
        const state: unknown = JSON.parse(Buffer.from(found.bytes).toString());
        return isObject(state) ? (state as unknown as StoredPyramid) : null;
      }),
    async put(key, pyramid) {
      const bytes = Buffer.from(JSON.stringify(pyramid));
      await objects.put(`${key}/pyramid.json`, bytes, { contentType: 'application/json', when: 'always' });
      recent.forget(key);
    },
    async findTile(key, tile, madeOf) {
      const name = `${key} ${toTileName(tile)} ${madeOf}`;
      const known = tiles.get(name);
      if (known !== undefined) return known;
      const found = await objects.read(`${key}/${toTileName(tile)}`, { maxBytes: MAX_TILE_BYTES });
      if (found === null || found === 'same') return null;
      const content = await unpackTile(found.bytes);
      tiles.set(name, content);
      return content;
    },
    async putTile(key, tile, content) {
      const options = { contentType: 'application/octet-stream', when: 'always' } as const;
      await objects.put(`${key}/${toTileName(tile)}`, await packTile(content), options);
    },
    async remove(key) {
      await objects.removeBelow(`${key}/`);
      recent.forget(key);
    },
    list: () => objects.listFolders(''),
  };
}
