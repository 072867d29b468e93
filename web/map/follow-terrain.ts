/** Makes a map show the ground that the state asks for: shade and slope below the scene, contours over it. */
import type { MapLibreMap } from 'maplibre-gl';
import { makeLatest } from '../actions/latest.ts';
import type { TerrainFormat, TerrainLayer, TerrainTiles } from '../scenes/terrain.ts';
import type { Store } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { FIRST_LAYER_ABOVE_IMAGERY } from './base-style.ts';
import type { SceneMap } from './map.ts';
import { toTerrainLayers, toTerrainSource } from './terrain-sources.ts';

interface TerrainParts {
  readonly store: Store<ViewerState>;
  readonly map: Pick<SceneMap, 'gl' | 'setBusy' | 'imageryLayer'>;
  readonly readTiles: (format: TerrainFormat, signal: AbortSignal) => Promise<TerrainTiles>;
  /** The tiles are not described: there will be no terrain. */
  readonly onFailure: (error: unknown) => void;
}

const LAYER = 'terrain';
/** Lines go over the imagery and the outlines, and under the clicked point. */
const ABOVE_OUTLINES = 'point';

const removeAll = (map: MapLibreMap): void => {
  const layers = map.getStyle().layers.filter((layer) => 'source' in layer && layer.source === LAYER);
  for (const { id } of layers) map.removeLayer(id);
  if (map.getSource(LAYER) !== undefined) map.removeSource(LAYER);
};

/** Starts following; the answer stops it. */
export const followTerrain = ({ store, map, readTiles, onFailure }: TerrainParts): (() => void) => {
  const { gl } = map;
  const latest = makeLatest();
  const show = async (layer: TerrainLayer): Promise<void> => {
    const signal = latest.start();
    if (layer === 'none') return removeAll(gl);
    try {
      const tiles = await readTiles(layer, signal);
      if (signal.aborted) return;
      map.setBusy();
      removeAll(gl);
      gl.addSource(LAYER, toTerrainSource(layer, tiles, location.href));
    } catch (error) {
      if (!signal.aborted) onFailure(error);
      return;
    }
    const imagery = map.imageryLayer() ?? FIRST_LAYER_ABOVE_IMAGERY;
    const before = layer === 'contours' ? ABOVE_OUTLINES : imagery;
    for (const one of toTerrainLayers(layer, LAYER)) gl.addLayer(one, before);
  };
  const stop = store.watch(
    // Without a key there are no tiles; after a failure they are requested again.
    ({ phase, terrain, redraws }) => (phase.kind === 'ready' ? `${terrain.layer} ${redraws}` : ''),
    (_, { phase, terrain: { layer } }) => void show(phase.kind === 'ready' ? layer : 'none'),
  );
  return () => {
    stop();
    latest.cancel();
  };
};
