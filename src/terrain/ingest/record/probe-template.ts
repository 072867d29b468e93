import { sourceBroken } from '../../../errors.ts';
import type { LonLatBounds, Tile } from '../../../geo/index.ts';
import { MAX_ZOOM, tileAt } from '../../../geo/index.ts';
import { makeProjection } from '../../../proj/index.ts';
import type { OpenSource } from '../../../sources/index.ts';
import { readTileSize } from './read-tile-size.ts';
import { toTileAddress } from './tile-template.ts';
import type { Pyramid } from './to-pyramid-file.ts';
import { toTileBounds } from './to-pyramid-file.ts';

interface ProbeDeps {
  readonly open: OpenSource;
  readonly signal?: AbortSignal | undefined;
  /** The ground that has tiles; null for the whole Mercator square. */
  readonly bounds: LonLatBounds | null;
}

const WHOLE: LonLatBounds = toTileBounds({ z: 0, x: 0, y: 0 }, { z: 0, x: 0, y: 0 });

/**
 * Finds out which zoom levels a template has, and how large its tiles are: from the first zoom that has the tile in the
 * middle of the bounds downwards, as long as one of the four tiles below a tile exists. Throws `no-tiles` if none does.
 */
export async function probeTemplate(href: string, { open, signal, bounds }: ProbeDeps): Promise<Pyramid> {
  const covered = bounds ?? WHOLE;
  const read = (tile: Tile) => readTileSize(toTileAddress(href, tile), { open, signal });
  const middleLon = (covered.west + covered.east) / 2;
  const [x, y] = makeProjection(4326, 3857).forward(
    middleLon > 180 ? middleLon - 360 : middleLon,
    (covered.south + covered.north) / 2,
  );
  for (let z = 0; z <= MAX_ZOOM; z++) {
    const tile = tileAt(z, x, y);
    const tileSizePx = await read(tile);
    if (tileSizePx === null) continue;
    const max = await findDeepest(tile, { read, middle: { x, y } });
    return { href, tileSizePx, zooms: { min: z, max }, bounds: covered };
  }
  throw sourceBroken('no-tiles', 'The template has no tile in the middle of its bounds, at any zoom.');
}

async function findDeepest(
  top: Tile,
  { read, middle }: { read: (tile: Tile) => Promise<unknown>; middle: { x: number; y: number } },
): Promise<number> {
  let tile = top;
  while (tile.z < MAX_ZOOM) {
    const below = await findChild(tile, { read, middle });
    if (below === null) break;
    tile = below;
  }
  return tile.z;
}

/** A tile below another one that exists; the one nearest to the middle is tried first. */
async function findChild(
  { z, x, y }: Tile,
  { read, middle }: Parameters<typeof findDeepest>[1],
): Promise<Tile | null> {
  const central = tileAt(z + 1, middle.x, middle.y);
  const children = [0, 1, 2, 3].map((i) => ({ z: z + 1, x: 2 * x + (i % 2), y: 2 * y + (i >> 1) }));
  const distance = (tile: Tile) => Math.abs(tile.x - central.x) + Math.abs(tile.y - central.y);
  for (const child of children.sort((a, b) => distance(a) - distance(b))) {
    if ((await read(child)) !== null) return child;
  }
  return null;
}
