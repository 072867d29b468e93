/** What the server says about the ground. */
import { asNumber, asRecord } from '../scenes/read-json.ts';
import type { TerrainFormat, TerrainTiles } from '../scenes/terrain.ts';
import { parseTilejson, SLOPE_LEGEND_PATH, toTilejsonPath } from '../scenes/terrain.ts';
import type { Position } from '../shapes/shape.ts';
import type { Point } from '../state/map-view.ts';
import type { Texts } from '../texts/en.ts';
import { unknownForm } from './failure.ts';
import type { Legend } from './legend.ts';
import { parseLegend } from './legend.ts';
import type { Profile } from './profile.ts';
import { parseProfile } from './profile.ts';
import type { Requests } from './requests.ts';

/** The calls. */
export interface TerrainCalls {
  /** The height of the ground in metres; `null` where no elevation model knows it. */
  readElevation(point: Point, signal?: AbortSignal): Promise<number | null>;
  /** Where terrain tiles of a format are. */
  readTerrainTiles(format: TerrainFormat, signal?: AbortSignal): Promise<TerrainTiles>;
  /** What the colours of slopes stand for, in degrees. */
  readSlopeLegend(signal?: AbortSignal): Promise<Legend | null>;
  /** Heights along a line of at most a hundred positions. */
  readProfile(positions: readonly Position[], signal?: AbortSignal): Promise<Profile>;
}

/** Builds them. */
export const makeTerrainCalls = ({ readJson }: Requests, texts: Texts): TerrainCalls => ({
  async readElevation({ lat, lon }, signal) {
    const path = `api/render/terrain/point/${lat.toFixed(7)}/${lon.toFixed(7)}`;
    return asNumber(asRecord(await readJson(path, {}, signal)).index_value);
  },
  async readTerrainTiles(format, signal) {
    const tiles = parseTilejson(await readJson(toTilejsonPath(format), {}, signal));
    if (tiles === null) throw unknownForm();
    return tiles;
  },
  readSlopeLegend: async (signal) => parseLegend(await readJson(SLOPE_LEGEND_PATH, {}, signal), texts),
  async readProfile(positions, signal) {
    const line = positions.map((position) => position.join()).join(';');
    const profile = parseProfile(await readJson(`api/render/terrain/profile?LINE=${line}`, {}, signal));
    if (profile === null) throw unknownForm();
    return profile;
  },
});
