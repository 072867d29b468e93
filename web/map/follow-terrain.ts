/** Makes the map show the ground that the state asks for: below the scene, over it, or in three dimensions. */
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
  readonly map: SceneMap;
  readonly readTiles: (format: TerrainFormat, signal: AbortSignal) => Promise<TerrainTiles>;
  readonly onCamera: (pitchDeg: number, bearingDeg: number) => void;
  /** The tiles are not described: there will be no terrain. */
  readonly onFailure: (error: unknown) => void;
}

const LAYER = 'terrain';
const HEIGHTS = 'terrain-heights';
/** Lines go over the imagery and the outlines, and under the clicked point. */
const ABOVE_OUTLINES = 'point';

const removeAll = (map: MapLibreMap): void => {
  for (const { id } of map.getStyle().layers) if (id.startsWith(LAYER)) map.removeLayer(id);
  if (map.getSource(LAYER) !== undefined) map.removeSource(LAYER);
};

/** Starts following. */
export const followTerrain = ({ store, map, readTiles, onCamera, onFailure }: TerrainParts): void => {
  const { gl, setTilting } = map;
  const [latestLayer, latestHeights] = [makeLatest(), makeLatest()];

  const showLayer = async (layer: TerrainLayer): Promise<void> => {
    const signal = latestLayer.start();
    if (layer === 'none') return removeAll(gl);
    const tiles = await readTiles(layer, signal);
    if (signal.aborted) return;
    map.setBusy();
    removeAll(gl);
    gl.addSource(LAYER, toTerrainSource(layer, tiles, location.href));
    const imagery =
      gl.getLayer(map.imageryLayer) === undefined ? FIRST_LAYER_ABOVE_IMAGERY : map.imageryLayer;
    const before = layer === 'contours' ? ABOVE_OUTLINES : imagery;
    for (const one of toTerrainLayers(layer, LAYER)) gl.addLayer(one, before);
  };

  const raise = async (exaggeration: number | null): Promise<void> => {
    const signal = latestHeights.start();
    map.setBusy();
    if (exaggeration === null) {
      gl.setTerrain(null);
      if (gl.getSource(HEIGHTS) !== undefined) gl.removeSource(HEIGHTS);
      // Level at once: a map that is flat but still tilted shows nothing that was asked for.
      gl.jumpTo({ pitch: 0, bearing: 0 });
      setTilting(false);
      return;
    }
    if (gl.getSource(HEIGHTS) === undefined) {
      const tiles = await readTiles('terrarium', signal);
      if (signal.aborted) return;
      gl.addSource(HEIGHTS, toTerrainSource('terrarium', tiles, location.href));
    }
    gl.setTerrain({ source: HEIGHTS, exaggeration });
    setTilting(true);
    const { pitchDeg, bearingDeg } = store.read().terrain;
    if (gl.getPitch() !== pitchDeg || gl.getBearing() !== bearingDeg)
      gl.easeTo({ pitch: pitchDeg, bearing: bearingDeg, duration: 600 });
  };

  const reportUnlessOvertaken =
    (isCurrent: () => boolean) =>
    (error: unknown): void => {
      if (isCurrent()) onFailure(error);
    };
  store.watch(
    // Without a key there are no tiles; after a failure they are requested again.
    ({ phase, terrain, redraws }) => (phase.kind === 'ready' ? `${terrain.layer} ${redraws}` : ''),
    (_, { phase, terrain: { layer } }) => {
      showLayer(phase.kind === 'ready' ? layer : 'none').catch(
        reportUnlessOvertaken(() => store.read().terrain.layer === layer),
      );
    },
  );
  store.watch(
    ({ phase, terrain }) => (phase.kind === 'ready' ? terrain.exaggeration : null),
    (exaggeration) => {
      // A flat map is flat from the start.
      if (exaggeration === null && gl.getTerrain() === null && gl.getPitch() === 0) {
        latestHeights.cancel();
        return;
      }
      raise(exaggeration).catch(
        reportUnlessOvertaken(() => store.read().terrain.exaggeration === exaggeration),
      );
    },
  );
  // An address of another camera: the back button, or an edit.
  store.watch(
    ({ terrain }) => terrain,
    ({ exaggeration, pitchDeg, bearingDeg }) => {
      if (exaggeration === null || gl.getTerrain() === null || gl.isMoving()) return;
      const isThere =
        Math.abs(gl.getPitch() - pitchDeg) < 0.5 && Math.abs(gl.getBearing() - bearingDeg) < 0.5;
      if (!isThere) gl.jumpTo({ pitch: pitchDeg, bearing: bearingDeg });
    },
  );
  gl.on('moveend', () => {
    if (gl.getTerrain() !== null) onCamera(Math.round(gl.getPitch()), Math.round(gl.getBearing()));
  });
};
