import { writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Asset, Scene } from '../../../src/catalog/index.ts';
import type { Grid } from '../../../src/geo/index.ts';
import { gridBounds, tileAt, tileGrid } from '../../../src/geo/index.ts';
import { makePixelMapping, makeProjection } from '../../../src/proj/index.ts';
import type { RunningSwath } from '../../support/start-swath.ts';
import { SERVICE_KEY } from '../../support/start-swath.ts';
import type { PictureCase } from './picture-cases.ts';

/** A picture that the service has drawn, and all that is needed to draw it again. */
export interface PictureJob {
  readonly name: string;
  readonly viewId: string;
  readonly bands: string;
  readonly query: Readonly<Record<string, string>>;
  readonly grid: Grid;
  /** The contrast of each channel, as the service's legend says it; null where colours have none. */
  readonly contrast: readonly (readonly [min: number | null, max: number | null])[];
  readonly files: Readonly<Record<string, { readonly path: string; readonly index: number }>>;
  readonly clouds: { readonly kind: string; readonly path: string | null };
  readonly area?: object;
  /** The file with the service's picture. */
  readonly picture: string;
  /** What to ask for and of which small product, and where to put what was computed, if that is stored. */
  readonly golden?: { readonly product: string; readonly path: string; readonly file: string };
}

interface Asked {
  readonly swath: RunningSwath;
  readonly scene: Scene;
  readonly wanted: PictureCase;
  readonly zoom: number;
  readonly picture: string;
}

/** The way from pixels of a band to Web Mercator. */
function makeToMercator(asset: Asset) {
  const unit: Grid = { epsg: 3857, transform: [0, 1, 0, 0, 0, -1], width: 1, height: 1 };
  const { toTarget } = makePixelMapping(unit, asset);
  return (column: number, row: number): [x: number, y: number] => {
    const [x, y] = toTarget(column, row);
    return [x, -y];
  };
}

/** The tile around a position in the scene: at zoom 0 the first whose pixels are smaller than those of the first band. */
function findTile({ scene, wanted, zoom }: Asked): { z: number; x: number; y: number } {
  const asset = firstAsset(scene, wanted.bands);
  const toMercator = makeToMercator(asset);
  const [partX, partY] = wanted.position ?? [0.503, 0.507];
  const [column, row] = [partX * asset.width, partY * asset.height];
  const [x, y] = toMercator(column, row);
  const [nextX, nextY] = toMercator(column + 1, row);
  const pixelM = Math.hypot(nextX - x, nextY - y);
  const native = Math.ceil(Math.log2((2 * 20037508.342789244) / 256 / pixelM));
  return tileAt(Math.max(0, native + zoom), x, y);
}

function firstAsset({ assets }: Scene, bands: string): Asset {
  const found = (bands.match(/\w+/g) ?? []).map((word) => assets[word]).find((asset) => asset !== undefined);
  const chosen = found ?? assets.B04 ?? assets.B4 ?? Object.values(assets)[0];
  if (chosen === undefined) throw new Error(`no file for ${bands}`);
  return chosen;
}

const round = (value: number): number => Number(value.toFixed(9));

/** A star with a hole, in the middle of a tile. */
function starIn(tile: { z: number; x: number; y: number }): object {
  const { minX, minY, maxX, maxY } = gridBounds(tileGrid(tile));
  const { forward } = makeProjection(3857, 4326);
  const ring = (radius: number) => {
    const corners = Array.from({ length: 11 }, (_, i) => {
      const [angle, far] = [(2 * Math.PI * (i % 10)) / 10 + 0.123, i % 2 === 0 ? radius : radius / 2];
      const [x, y] = [0.5 + far * Math.cos(angle), 0.47 + far * Math.sin(angle)];
      return forward(minX + x * (maxX - minX), minY + y * (maxY - minY)).map(round);
    });
    return corners;
  };
  return { type: 'Polygon', coordinates: [ring(0.45), ring(0.15)] };
}

/** The grid of a picture that covers not a tile but the middle of it, in another reference system. */
function boundsOf(tile: { z: number; x: number; y: number }, epsg: number, [width, height]: number[]): Grid {
  const { minX, minY, maxX, maxY } = gridBounds(tileGrid(tile));
  const { forward } = makeProjection(3857, epsg);
  const at = (x: number, y: number) => forward(minX + x * (maxX - minX), minY + y * (maxY - minY)).map(round);
  const [left = 0, lower = 0] = at(0.2, 0.3);
  const [right = 0, upper = 0] = at(0.8, 0.9);
  const [columns = 256, rows = 256] = [width, height];
  const transform = [left, (right - left) / columns, 0, upper, 0, (lower - upper) / rows] as const;
  return { epsg, transform, width: columns, height: rows };
}

/** Has one picture drawn. */
export async function askPicture(asked: Asked): Promise<PictureJob> {
  const { swath, scene, wanted, picture } = asked;
  const tile = findTile(asked);
  const query: Record<string, string> = { ...wanted.query };
  const area = wanted.isCropped ? starIn(tile) : null;
  const headers = { 'x-api-key': SERVICE_KEY };
  const extra: Record<string, string> = { mimetype: 'image/png' };
  if (area !== null) {
    const body = JSON.stringify({ type: 'Feature', properties: {}, geometry: area });
    const answer = await fetch(`${swath.url}/api/render/cropper/`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    extra.cropper_ref = ((await answer.json()) as { cropper_ref: string }).cropper_ref;
  }
  const { epsg } = wanted;
  const size = (query.TILE_SIZE ?? '256,256').split(',').map(Number);
  const grid = epsg === undefined ? tileGrid(tile) : boundsOf(tile, epsg, size);
  const [left, stepX, , upper, , stepY] = grid.transform;
  const bounds = `${left};${left + stepX * grid.width};${epsg}/${upper};${upper + stepY * grid.height};${epsg}`;
  const address = epsg === undefined ? `${tile.x}/${tile.y}` : bounds;
  if (epsg !== undefined) extra.crs = `EPSG:${epsg}`;
  const bands = encodeURIComponent(wanted.bands).replaceAll('%2F', '/');
  const rest = `${scene.viewId}/${bands}/${tile.z}/${address}?${new URLSearchParams({ ...query, ...extra })}`;
  const read = async (path: string): Promise<Response> => {
    const answer = await fetch(`${swath.url}${path}${rest}`, { headers });
    if (!answer.ok) throw new Error(`${path}${rest}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  writeFileSync(picture, new Uint8Array(await (await read('/api/render/')).arrayBuffer()));
  const legend = (await (await read('/api/render/legend/')).json()) as {
    bands: { min?: number; max?: number }[];
  };
  const toPath = (href: string): string => (isAbsolute(href) ? href : join(swath.dataDir, href));
  const { cloudMask } = scene;
  const mask =
    cloudMask?.kind === 'polygons'
      ? cloudMask.href
      : cloudMask?.kind === 'flags'
        ? cloudMask.asset.href
        : null;
  const words = Object.entries(query).map(([name, value]) => `${name}=${value}`.slice(0, 24));
  return {
    name: [
      scene.viewId.slice(0, 30),
      wanted.bands.slice(0, 24),
      `z${tile.z}`,
      ...words,
      ...(area ? ['area'] : []),
    ].join(' '),
    viewId: scene.viewId,
    bands: wanted.bands,
    query,
    grid,
    picture,
    contrast: legend.bands.map(({ min = null, max = null }) => [min, max]),
    files: Object.fromEntries(
      Object.entries(scene.assets).map(([band, { href, bandIndex }]) => [
        band,
        { path: toPath(href), index: bandIndex },
      ]),
    ),
    clouds: { kind: cloudMask?.kind ?? 'none', path: mask === null ? null : toPath(mask) },
    ...(area === null ? {} : { area }),
    ...(wanted.golden === undefined
      ? {}
      : { golden: { product: wanted.golden, path: `/api/render/${rest}`, file: `${picture}.computed` } }),
  };
}
