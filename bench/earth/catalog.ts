import type { FakeStac } from '../../src/live/testing/fake-stac.ts';
import { startFakeStac } from '../../src/live/testing/fake-stac.ts';
import { makeItem } from '../../src/live/testing/make-item.ts';
import { makeProjection } from '../../src/proj/index.ts';
import type { RangeServer } from '../cold/range-server.ts';
import { startRangeServer } from '../cold/range-server.ts';
import { TILE } from './make-bands.ts';

/** A catalog and the files of its scenes, both far away. */
export interface FarCatalog extends AsyncDisposable {
  readonly stac: FakeStac;
  readonly files: RangeServer;
}

/** Starts a catalog in the shape of Earth Search, with a scene of one tile for each of the days. */
export async function startFarCatalog(
  bands: string,
  days: readonly string[],
  delayMs: number,
): Promise<FarCatalog> {
  const files = await startRangeServer(bands, delayMs);
  // The server goes by the last part of a path: every scene has files of its own address with the same bytes.
  const place = {
    toHttps: (host: string, path: string) => `http://127.0.0.1:${files.port}/${host.split('.')[0]}/${path}`,
    toS3: (bucket: string, key: string) => `s3://${bucket}/${key}`,
  };
  // Made once: what a catalog computes is not measured.
  const items = days.map((day) =>
    makeItem('earth-search/sentinel-2-l2a', { tile: TILE.name, day, cloud: 3 }, place),
  );
  const stac = await startFakeStac({ delayMs, items: () => items });
  return {
    stac,
    files,
    async [Symbol.asyncDispose]() {
      await stac[Symbol.asyncDispose]();
      await files[Symbol.asyncDispose]();
    },
  };
}

const DAY_MS = 86_400_000;

/** Days at equal distances, the last one first. */
export const listDays = (count: number, stepDays: number): readonly string[] =>
  Array.from({ length: count }, (_, i) =>
    new Date(Date.UTC(2025, 11, 28) - i * stepDays * DAY_MS).toISOString().slice(0, 10),
  );

/** The view id of the scene of a day. */
export const toViewId = (day: string): string => {
  const { zone, latitudeBand, square } = TILE;
  return `S2L2A/${zone}/${latitudeBand}/${square}/${day.split('-').map(Number).join('/')}/0`;
};

const toLonLat = makeProjection(TILE.epsg, 4326).forward;

/** A square by its upper left corner, in metres from that of the tile. */
export function toSquare(leftM: number, topM: number, sideM: number) {
  const [west, north] = [TILE.west + leftM, TILE.north - topM];
  const corners = [
    [west, north],
    [west, north - sideM],
    [west + sideM, north - sideM],
    [west + sideM, north],
    [west, north],
  ] as const;
  return { type: 'Polygon', coordinates: [corners.map(([x, y]) => [...toLonLat(x, y)])] };
}
