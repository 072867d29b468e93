import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tile } from '../../../src/geo/index.ts';
import type { RunningSwath } from '../../support/start-swath.ts';
import { SERVICE_KEY } from '../../support/start-swath.ts';
import type { Point, WantedTile } from './choose-tiles.ts';

/** What the service answers about a tile, as paths of files. */
export interface TileAnswers {
  readonly heights: string;
  readonly terrarium: string;
  readonly terrainrgb: string;
  readonly relief: ReliefAnswers | null;
}

/** What it answers about the relief of a tile. */
export interface ReliefAnswers {
  /** Heights of the tile and of its neighbours, row by row; null beyond the edge of the map. */
  readonly around: readonly (string | null)[];
  readonly hillshades: readonly {
    readonly azimuthDeg: number;
    readonly altitudeDeg: number;
    readonly picture: string;
  }[];
  /** Slopes below `minSlopeDeg` are transparent. */
  readonly steep: { readonly minSlopeDeg: number; readonly picture: string };
  readonly contours: { readonly intervalM: number; readonly lines: string };
}

const LIGHTS = [
  { azimuthDeg: 315, altitudeDeg: 45 },
  { azimuthDeg: 100, altitudeDeg: 12 },
] as const;
const MIN_SLOPE_DEG = 8;
/** At all zoom levels, so that there are many lines. */
const INTERVAL_M = 50;

/** Builds the questions to a running service; answers go to files of a folder. */
export function makeAskTerrain(swath: RunningSwath, folder: string) {
  const headers = { 'x-api-key': SERVICE_KEY };
  const read = async (path: string): Promise<Response> => {
    const answer = await fetch(`${swath.url}/api/render/terrain/${path}`, { headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const askTile = async (
    { z, x, y }: Tile,
    sizePx: number,
    query: Record<string, string>,
  ): Promise<string> => {
    const words = new URLSearchParams(query).toString();
    const address = `${z}/${x}/${y}${sizePx === 512 ? '@2x' : ''}`;
    const file = join(folder, `${address} ${words}`.replaceAll(/[^\w.-]+/g, '_'));
    writeFileSync(file, new Uint8Array(await (await read(`${address}?${words}`)).arrayBuffer()));
    return file;
  };
  const askRelief = async (tile: WantedTile): Promise<ReliefAnswers> => {
    const around: (string | null)[] = [];
    for (const dy of [-1, 0, 1]) {
      for (const dx of [-1, 0, 1]) {
        const side = 2 ** tile.z;
        const next = { z: tile.z, x: (tile.x + dx + side) % side, y: tile.y + dy };
        const isThere = next.y >= 0 && next.y < side;
        around.push(isThere ? await askTile(next, tile.sizePx, { format: 'geotiff' }) : null);
      }
    }
    const hillshades = [];
    for (const { azimuthDeg, altitudeDeg } of LIGHTS) {
      const light = { AZIMUTH: String(azimuthDeg), ALTITUDE: String(altitudeDeg) };
      const picture = await askTile(tile, tile.sizePx, { format: 'hillshade', ...light });
      hillshades.push({ azimuthDeg, altitudeDeg, picture });
    }
    const steep = { format: 'slope', MIN_SLOPE: String(MIN_SLOPE_DEG) };
    const lines = { format: 'contours', INTERVAL: String(INTERVAL_M), mimetype: 'application/geo+json' };
    return {
      around,
      hillshades,
      steep: { minSlopeDeg: MIN_SLOPE_DEG, picture: await askTile(tile, tile.sizePx, steep) },
      contours: { intervalM: INTERVAL_M, lines: await askTile(tile, tile.sizePx, lines) },
    };
  };
  return {
    async askTile(tile: WantedTile): Promise<TileAnswers> {
      return {
        heights: await askTile(tile, tile.sizePx, { format: 'geotiff' }),
        terrarium: await askTile(tile, tile.sizePx, { format: 'terrarium' }),
        terrainrgb: await askTile(tile, tile.sizePx, { format: 'terrainrgb' }),
        relief: tile.hasRelief ? await askRelief(tile) : null,
      };
    },
    /** The height at a location. */
    async askPoint({ lon, lat }: Point): Promise<number | null> {
      const answer = (await (await read(`point/${lat}/${lon}`)).json()) as { index_value: number | null };
      return answer.index_value;
    },
  };
}
