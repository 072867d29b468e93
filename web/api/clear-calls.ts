/** What the server says about a clear view: which scenes it is made of, as a whole and at a point. */
import type { ClearLayer } from '../scenes/clear-layer.ts';
import { toClearPath } from '../scenes/clear-layer.ts';
import type { Box } from '../scenes/footprint.ts';
import { toBoundsPath } from '../scenes/ground.ts';
import { asNumber, asRecord, asText } from '../scenes/read-json.ts';
import type { ViewerSensor } from '../scenes/sensor.ts';
import type { Point } from '../state/map-view.ts';
import type { Requests } from './requests.ts';

/** A scene that some pixels come from. */
export interface ClearSource {
  readonly viewId: string;
  /** Acquisition day, YYYY-MM-DD. */
  readonly date: string;
  readonly sensor: ViewerSensor;
  /** The part of the pixels with data that are of this scene, from 0 to 1; `null` at a point. */
  readonly part: number | null;
}

/** The calls. */
export interface ClearCalls {
  /** The scenes of what a box shows, those with the most pixels first. */
  readClearSources(layer: ClearLayer, box: Box, signal?: AbortSignal): Promise<readonly ClearSource[]>;
  /** The scene that a point shows; `null` where none does. */
  readClearSource(layer: ClearLayer, point: Point, signal?: AbortSignal): Promise<ClearSource | null>;
}

/** Shares are shown in percent: a small picture is enough to count them in. */
const COUNTED_PX = 128;

const parseSources = (body: unknown, { sensors }: ClearLayer): readonly ClearSource[] => {
  const { sources } = asRecord(body);
  const list = (Array.isArray(sources) ? sources : []).flatMap((value: unknown) => {
    const { view_id, date, sensor: abbreviation, pixels } = asRecord(value);
    const [viewId, day] = [asText(view_id), asText(date)?.slice(0, 10)];
    const sensor = sensors.find((one) => one.abbreviation === abbreviation);
    if (viewId === null || day === undefined || sensor === undefined) return [];
    return [{ viewId, date: day, sensor, pixels: asNumber(pixels) }];
  });
  const all = list.reduce((sum, { pixels }) => sum + (pixels ?? 0), 0);
  return list
    .toSorted((a, b) => (b.pixels ?? 0) - (a.pixels ?? 0))
    .map(({ pixels, ...source }) => ({
      ...source,
      part: pixels === null || all === 0 ? null : pixels / all,
    }));
};

/** Builds them. */
export const makeClearCalls = ({ readJson }: Requests): ClearCalls => ({
  async readClearSources(layer, box, signal) {
    const path = `${toClearPath(layer, 'sources/legend', `0/${toBoundsPath(box)}`)}&TILE_SIZE=${COUNTED_PX},${COUNTED_PX}`;
    return parseSources(await readJson(path, {}, signal), layer);
  },
  async readClearSource(layer, { lat, lon }, signal) {
    const path = toClearPath(layer, 'point', `${lat.toFixed(7)}/${lon.toFixed(7)}`);
    return parseSources(await readJson(path, {}, signal), layer)[0] ?? null;
  },
});
