import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tile } from '../../src/geo/index.ts';
import { applyAffine, tileAt } from '../../src/geo/index.ts';
import { makeProjection } from '../../src/proj/index.ts';
import { EPSG, SIZE_PX, TRANSFORM, writeBandFile } from '../tiles/make-band.ts';

/** The one scene of the bench, of three bands. */
export const SCENE = { viewId: 'S2L2A/36/U/VA/2026/6/1/0', name: 'S2B_36UVA_20260601_0_L2A' } as const;

const BANDS = { B04: 'red', B03: 'green', B02: 'blue' } as const;

/** Makes the bands in a folder, unless they are there. */
export async function makeBands(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [serial, band] of Object.keys(BANDS).entries()) {
    const path = join(folder, `${band}.tif`);
    if (statSync(path, { throwIfNoEntry: false }) === undefined) await writeBandFile(path, serial);
  }
}

/** Writes the item of the scene; `base` is where its files are read from. */
export function writeItem(path: string, base: string): void {
  const [west, south, east, north] = findBounds();
  const item = {
    type: 'Feature',
    stac_version: '1.0.0',
    id: SCENE.name,
    collection: 'sentinel-2-l2a',
    properties: {
      datetime: '2026-06-01T08:50:12Z',
      'eo:cloud_cover': 0,
      'earthsearch:boa_offset_applied': true,
      's2:processing_baseline': '05.11',
      'proj:code': `EPSG:${EPSG}`,
    },
    bbox: [west, south, east, north],
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [west, south],
          [east, south],
          [east, north],
          [west, north],
          [west, south],
        ],
      ],
    },
    links: [],
    assets: Object.fromEntries(
      Object.entries(BANDS).map(([band, name]) => [
        name,
        { href: `${base}/${band}.tif`, type: 'image/tiff', 'eo:bands': [{ name: band, common_name: name }] },
      ]),
    ),
  };
  writeFileSync(path, JSON.stringify(item));
}

/** Inside the image in degrees, so that all tiles chosen have data. */
function findBounds(): readonly [number, number, number, number] {
  const toDegrees = makeProjection(EPSG, 4326);
  const [west, south] = toDegrees.forward(...applyAffine(TRANSFORM, 100, SIZE_PX - 100));
  const [east, north] = toDegrees.forward(...applyAffine(TRANSFORM, SIZE_PX - 100, 100));
  return [west, south, east, north];
}

/** The corners of the scene in tiles of one zoom, north-west and south-east. */
export function findCorners(z: number): readonly [Tile, Tile] {
  const toMap = makeProjection(EPSG, 3857);
  const at = (column: number, row: number): Tile => {
    const [x, y] = toMap.forward(...applyAffine(TRANSFORM, column, row));
    return tileAt(z, x, y);
  };
  const margin = 200;
  return [at(margin, margin), at(SIZE_PX - margin, SIZE_PX - margin)];
}

/** Tiles of one zoom over the scene, spread so that neighbours are not next to each other. */
export function chooseTiles(z: number, count: number): readonly Tile[] {
  const [first, last] = findCorners(z);
  const tiles: Tile[] = [];
  for (let y = first.y; y <= last.y; y += 1)
    for (let x = first.x; x <= last.x; x += 1) tiles.push({ z, x, y });
  // 7 is prime to most counts: it visits all tiles in an order that jumps.
  const jumping = tiles.map((_, i) => tiles[(i * 7) % tiles.length] as Tile);
  return [...new Set(jumping), ...tiles.filter((tile) => !jumping.includes(tile))].slice(0, count);
}
