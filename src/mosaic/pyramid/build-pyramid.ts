import { hash } from 'node:crypto';
import { isSwathError } from '../../errors.ts';
import type { Tile } from '../../geo/index.ts';
import { moveOrigin, tileGrid } from '../../geo/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { RenderOptions } from '../../render/index.ts';
import type { MosaicPictureRequest } from '../mosaic.ts';
import type { Mosaics } from '../mosaics.ts';
import { toZooms } from '../zooms.ts';
import type { PyramidOrder, PyramidStore, StoredPyramid } from './pyramid-store.ts';
import { toPyramidKey, toTileName } from './pyramid-store.ts';
import type { PyramidTile } from './pyramid-tile.ts';
import { halveInto, makeEmptyTile, setPart, TILE_PX } from './pyramid-tile.ts';

/** What building a pyramid has done. */
export interface BuiltPyramid {
  /** Tiles that it has, and those of them that were made this time. */
  readonly tiles: number;
  readonly made: number;
}

interface BuildDeps {
  /** On the threads of tasks. */
  readonly mosaics: Pick<Mosaics, 'plan' | 'readValues' | 'touches'>;
  readonly store: PyramidStore;
  readonly now: () => Date;
}

interface BuildWork {
  readonly owner: string;
  readonly ticket: Ticket;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** The smallest part of a tile that is put together by itself: below it even one picture has too many scenes. */
const MIN_PART_PX = 16;

/**
 * Makes the tiles of a mosaic above the zoom level at which pictures read scenes: the lowest ones of scenes, part by part,
 * and all others of the four below them. Tiles that would be made of the same scenes as before stay.
 */
export function makeBuildPyramid({ mosaics, store, now }: BuildDeps) {
  return async (order: PyramidOrder, work: BuildWork): Promise<BuiltPyramid> => {
    const key = toPyramidKey(order);
    const before = await store.find(key);
    const baseZoom = toZooms(order.search.datasets).minzoom - 1;
    const known: Record<string, string> = { ...before?.tiles };
    const state = (builtAt: string | null): StoredPyramid => ({
      order,
      owner: work.owner,
      baseZoom,
      tiles: { ...known },
      builtAt,
    });
    if (before === null) await store.put(key, state(null));
    const bases = baseZoom < 0 ? [] : await listBases(order, baseZoom, work.signal);
    let made = 0;
    const changed = new Set<string>();
    for (const [i, tile] of bases.entries()) {
      work.signal.throwIfAborted();
      work.onProgress(i, bases.length);
      const name = toTileName(tile);
      const parts = await planParts(order, tile);
      const madeOf = digest(parts.map(({ etag }) => etag));
      if (known[name] === madeOf) continue;
      await store.putTile(key, tile, await drawBase(order, tile, work.ticket));
      known[name] = madeOf;
      changed.add(name);
      made += 1;
    }
    dropOld(bases);
    for (let z = baseZoom - 1; z >= 0; z -= 1) made += await buildLevel(key, z, { known, changed, work });
    await store.put(key, state(now().toISOString()));
    work.onProgress(bases.length, bases.length);
    return { tiles: Object.keys(known).length, made };

    /** Tiles without a scene any more, and what was made of them. */
    function dropOld(current: readonly Tile[]): void {
      const names = new Set(current.map(toTileName));
      for (const name of Object.keys(known)) {
        if (Number(name.split('/')[0]) !== baseZoom || names.has(name)) continue;
        delete known[name];
        changed.add(name);
      }
    }
  };

  /** The tiles of the base that scenes touch, found from the top: whole oceans are left out with one question. */
  async function listBases(
    order: PyramidOrder,
    baseZoom: number,
    signal: AbortSignal,
  ): Promise<readonly Tile[]> {
    let level: readonly Tile[] = [{ z: 0, x: 0, y: 0 }];
    for (let z = 0; ; z += 1) {
      const touched: Tile[] = [];
      for (const tile of level) {
        signal.throwIfAborted();
        if (await mosaics.touches(order.search, tileGrid(tile))) touched.push(tile);
      }
      if (z === baseZoom) return touched;
      level = touched.flatMap(childrenOf);
    }
  }

  /** The parts that a base tile is made of: as large as may be, with no more scenes than a picture may read. */
  async function planParts(order: PyramidOrder, tile: Tile) {
    const planned: {
      readonly x: number;
      readonly y: number;
      readonly size: number;
      readonly etag: string;
    }[] = [];
    const waiting = [
      { x: 0, y: 0, size: TILE_PX / 2 },
      { x: TILE_PX / 2, y: 0, size: TILE_PX / 2 },
    ];
    waiting.push(...waiting.map((part) => ({ ...part, y: TILE_PX / 2 })));
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      try {
        planned.push({ ...part, etag: (await mosaics.plan(toRequest(order, tile, part))).etag });
      } catch (error) {
        if (!isTooMany(error) || part.size <= MIN_PART_PX) throw error;
        waiting.push(...quarterOf(part));
      }
    }
    return planned;
  }

  async function drawBase(order: PyramidOrder, tile: Tile, ticket: Ticket): Promise<PyramidTile> {
    let drawn: PyramidTile | null = null;
    const waiting: Part[] = [...(await planParts(order, tile))];
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      try {
        const planned = await mosaics.plan(toRequest(order, tile, part));
        const values = await mosaics.readValues(planned, null, ticket);
        // A part without a scene does not know how many channels the mosaic has.
        if (!values.mask.includes(1)) continue;
        drawn ??= makeEmptyTile(values.channels.length);
        setPart(drawn, values, part);
      } catch (error) {
        if (!isTooMany(error) || part.size <= MIN_PART_PX) throw error;
        waiting.push(...quarterOf(part));
      }
    }
    return drawn ?? makeEmptyTile(1);
  }

  /** Makes the tiles of a level of the four below each; those below which nothing has changed stay. */
  async function buildLevel(
    key: string,
    z: number,
    { known, changed, work }: { known: Record<string, string>; changed: Set<string>; work: BuildWork },
  ): Promise<number> {
    const below = Object.keys(known).filter((name) => Number(name.split('/')[0]) === z + 1);
    const parents = new Set([...below, ...changed].map(parentOf).filter((name) => name.startsWith(`${z}/`)));
    let made = 0;
    for (const name of parents) {
      work.signal.throwIfAborted();
      const [, x = 0, y = 0] = name.split('/').map(Number);
      const tile = { z, x, y };
      const children = childrenOf(tile).filter((child) => known[toTileName(child)] !== undefined);
      if (children.length === 0) {
        delete known[name];
        changed.add(name);
        continue;
      }
      const madeOf = digest(children.map((child) => `${toTileName(child)} ${known[toTileName(child)]}`));
      if (known[name] === madeOf) continue;
      let parent: PyramidTile | null = null;
      for (const child of children) {
        const content = await store.findTile(key, child, known[toTileName(child)]!);
        // Empty ones may have fewer channels.
        if (content === null || !content.mask.includes(1)) continue;
        parent ??= makeEmptyTile(content.channels.length);
        halveInto(parent, content, { x: child.x % 2, y: child.y % 2 });
      }
      await store.putTile(key, tile, parent ?? makeEmptyTile(1));
      known[name] = madeOf;
      changed.add(name);
      made += 1;
    }
    return made;
  }
}

interface Part {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

const digest = (texts: readonly string[]): string => hash('sha256', texts.join(' '), 'hex').slice(0, 32);

const isTooMany = (error: unknown): boolean =>
  isSwathError(error) && (error.code === 'too-many-scenes' || error.code === 'mosaic-too-expensive');

const quarterOf = ({ x, y, size }: Part): readonly Part[] => {
  const half = size / 2;
  return [0, 1].flatMap((row) => [0, 1].map((col) => ({ x: x + col * half, y: y + row * half, size: half })));
};

const childrenOf = ({ z, x, y }: Tile): readonly Tile[] =>
  [0, 1].flatMap((row) => [0, 1].map((col) => ({ z: z + 1, x: 2 * x + col, y: 2 * y + row })));

const parentOf = (name: string): string => {
  const [z = 0, x = 0, y = 0] = name.split('/').map(Number);
  return toTileName({ z: z - 1, x: x >> 1, y: y >> 1 });
};

/** A part of a tile, as numbers: contrast and colours are for later. */
function toRequest(
  { search, composition, bands, values }: PyramidOrder,
  tile: Tile,
  part: Part,
): MosaicPictureRequest {
  const whole = tileGrid(tile);
  const grid = {
    ...whole,
    transform: moveOrigin(whole.transform, part),
    width: part.size,
    height: part.size,
  };
  return { search, composition, bands, grid, options: { ...PLAIN, ...values } };
}

const PLAIN: Omit<RenderOptions, keyof PyramidOrder['values']> = {
  format: 'png',
  // Nothing is drawn, so no contrast is measured.
  range: { min: 0, max: 1 },
  color: {},
  area: null,
  watermark: null,
};
