import { existsSync, linkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderedShape } from '../../src/bulk/index.ts';
import type { Asset, NewScene, Scene } from '../../src/catalog/index.ts';
import { toScene } from '../../src/catalog/index.ts';
import { createCog } from '../../src/formats/cog/index.ts';
import type { MultiPolygonGeometry } from '../../src/geo/index.ts';
import { makeProjection } from '../../src/proj/index.ts';
import { EPSG, makeBand, TRANSFORM } from '../tiles/make-band.ts';

/** Bands of an index. */
const BANDS = ['B04', 'B08'] as const;
const STRIP_PX = 512;

/** Writes a band of a tile as a COG, in the way that Sentinel-2 COGs are written, without overviews. */
async function writeBand(path: string, serial: number, sizePx: number): Promise<void> {
  const cog = await createCog(path, {
    width: sizePx,
    height: sizePx,
    bandCount: 1,
    type: 'uint16',
    epsg: EPSG,
    transform: TRANSFORM,
    nodata: 0,
    compression: 'deflate',
    predictor: 2,
    overviews: 'none',
    isDurable: false,
  });
  for (let firstRow = 0; firstRow < sizePx; firstRow += STRIP_PX) {
    const rows = Math.min(STRIP_PX, sizePx - firstRow);
    await cog.writeRows([makeBand(serial, { firstRow, rows, sizePx })], rows);
  }
  await cog.finish();
}

/** Makes the two bands of a tile, unless they are there; their paths by name. */
export async function makeBands(folder: string, sizePx: number): Promise<Readonly<Record<string, string>>> {
  mkdirSync(folder, { recursive: true });
  const paths: Record<string, string> = {};
  for (const [serial, band] of BANDS.entries()) {
    const path = join(folder, `${band}-${sizePx}.tif`);
    if (!existsSync(path)) await writeBand(path, serial, sizePx);
    paths[band] = path;
  }
  return paths;
}

/** Makes scenes of one tile; each has files of its own name, which are links to those of the first. Newest first. */
export async function makeScenes(folder: string, count: number, sizePx: number): Promise<readonly Scene[]> {
  const paths = await makeBands(folder, sizePx);
  return Array.from({ length: count }, (_, serial) => {
    const date = new Date(Date.UTC(2026, 5, 1) - serial * 5 * 86_400_000).toISOString();
    const assets = Object.fromEntries(
      BANDS.map((band) => {
        const href = `${band}-${sizePx}-${serial}.tif`;
        if (!existsSync(join(folder, href))) linkSync(paths[band] as string, join(folder, href));
        return [band, toAsset(href, sizePx)];
      }),
    );
    const [year, month, day] = date.slice(0, 10).split('-').map(Number);
    const scene: NewScene = {
      viewId: `S2L2A/36/U/VA/${year}/${month}/${day}/0`,
      sceneId: `scene-${serial}`,
      dataset: 'sentinel2l2a',
      acquiredAt: date,
      footprint: toSquare(sizePx / 2, sizePx / 2, sizePx / 2),
      cloudPercent: 0,
      sunElevationDeg: 50,
      sunAzimuthDeg: 150,
      coveragePercent: 100,
      fields: {},
      assets,
      provenance: 'folder',
    };
    return toScene(scene);
  });
}

const toAsset = (href: string, sizePx: number): Asset => ({
  href,
  bandIndex: 0,
  epsg: EPSG,
  transform: TRANSFORM,
  width: sizePx,
  height: sizePx,
  type: 'uint16',
  nodata: 0,
  scale: 0.0001,
  offset: 0,
  overviews: [],
});

const toLonLat = makeProjection(EPSG, 4326).forward;

/** From pixels to metres. */
export const toMetres = (col: number, row: number): [number, number] => [
  TRANSFORM[0] + 10 * col,
  TRANSFORM[3] - 10 * row,
];

const toDegrees = (col: number, row: number) => toLonLat(...toMetres(col, row)) as [number, number];

function toSquare(col: number, row: number, half: number): MultiPolygonGeometry {
  const ring = [
    toDegrees(col - half, row + half),
    toDegrees(col + half, row + half),
    toDegrees(col + half, row - half),
    toDegrees(col - half, row - half),
  ];
  return { type: 'MultiPolygon', coordinates: [[[...ring, ring[0] as [number, number]]]] };
}

const CORNERS = 12;
/** With this radius a field of twelve corners has ten hectares. */
const RADIUS_PX = 18.26;

/** A field by its corners, in pixels. */
export interface PixelField {
  readonly id: string;
  readonly corners: readonly (readonly [col: number, row: number])[];
}

/** Fields of ten hectares, in rows over a square of pixels from the upper left corner on; no two are equal. */
export function makeFields(count: number, sizePx: number): readonly PixelField[] {
  const across = Math.ceil(Math.sqrt(count));
  const step = sizePx / across;
  return Array.from({ length: count }, (_, i) => {
    const [col, row] = [(i % across) + 0.5, Math.floor(i / across) + 0.5];
    const corners = Array.from({ length: CORNERS }, (_, corner) => {
      const angle = (-2 * Math.PI * corner) / CORNERS;
      const radius = RADIUS_PX * (0.9 + 0.2 * ((((i * 7_919 + corner * 104_729) % 1_000) + 0.5) / 1_000));
      return [col * step + radius * Math.cos(angle), row * step + radius * Math.sin(angle)] as const;
    });
    return { id: `field-${i}`, corners };
  });
}

/** The same as a service stores it. */
export function toShape({ id, corners }: PixelField): OrderedShape {
  const ring = [...corners, corners[0] as readonly [number, number]].map(([col, row]) => toDegrees(col, row));
  return {
    id,
    externalId: null,
    name: id,
    sownOn: null,
    geometry: { type: 'MultiPolygon', coordinates: [[ring]] },
  };
}
