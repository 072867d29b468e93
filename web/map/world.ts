/**
 * Land and borders of the base map: a coarse outline at once, the detail when the first picture is drawn and the person
 * pauses. The detail is larger than everything else that a first visit loads: it would take the bandwidth of the first
 * tiles, and its reading the processor while the first scene is chosen.
 */
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl';
import { Failure, toFailure } from '../api/failure.ts';
import type { Patience } from '../api/patience.ts';
import { sendWhole } from '../api/patience.ts';
import { whenQuiet } from './when-quiet.ts';
import { showNames } from './world-names.ts';

type Features = Extract<Parameters<GeoJSONSource['setData']>[0], { type: 'FeatureCollection' }>;

/** Land and borders of a map. */
export interface World {
  /** Loads the outline, unless there is something already. */
  loadOutline(): void;
  /** Loads the detail the next time that nothing else is to be drawn or done, unless it is there or on its way. */
  loadWhenIdle(): void;
  /** Whether the map still waits for its first land. */
  isComing(): boolean;
}

/** By the page, not by MapLibre's worker: that one lives under the content policy of its script, which allows it nothing. */
const readWorld = async (url: string, patience: Patience): Promise<Features> => {
  const response = await patience(() => sendWhole(() => fetch(url)));
  if (!response.ok) throw toFailure(response.status, await response.text());
  return response.json();
};

/** Makes the land and borders of a map. */
export const makeWorld = (
  map: MapLibreMap,
  patience: Patience,
  onFailure: (failure: Failure, url: string) => void,
): World => {
  let outline: 'none' | 'coming' | 'there' = 'none';
  let detail: 'none' | 'due' | 'coming' | 'there' = 'none';
  const show = (world: Features): void => {
    map.getSource<GeoJSONSource>('world')?.setData(world);
    map.triggerRepaint();
  };
  const loadDetail = async (): Promise<void> => {
    detail = 'coming';
    try {
      const [world, water] = await Promise.all([
        readWorld(WORLD_URL, patience),
        // Without lakes and rivers the map is only poorer.
        readWorld(WATER_URL, patience).catch(() => ({ features: [] })),
      ]);
      detail = 'there';
      show({ ...world, features: [...world.features, ...water.features] });
      // Nothing is lost without them but names: a failure of the server is reported by what the user asked for.
      showNames(map, patience).catch((error: unknown) => console.error(error));
    } catch (error) {
      detail = 'none';
      onFailure(error instanceof Failure ? error : toFailure(0, ''), WORLD_URL);
    }
  };
  return {
    isComing: () => outline === 'coming',
    async loadOutline() {
      if (outline !== 'none') return;
      outline = 'coming';
      // Without an outline there is still the detail, which reports what is wrong.
      const world = await readWorld(WORLD_OUTLINE_URL, patience).catch(() => null);
      outline = 'there';
      if (world !== null && detail !== 'there') show(world);
      map.triggerRepaint();
    },
    loadWhenIdle() {
      if (detail !== 'none') return;
      detail = 'due';
      const wait = async (): Promise<void> => {
        await whenQuiet();
        if (map.loaded() && !map.isMoving()) void loadDetail();
        else map.once('idle', () => void wait());
      };
      map.once('idle', () => void wait());
      // A map that rests already would not say so again.
      map.triggerRepaint();
    },
  };
};
