/** Lets the ground stand out of the map as the state asks for, and remembers where its camera looks from. */
import { makeLatest } from '../actions/latest.ts';
import type { TerrainFormat, TerrainTiles } from '../scenes/terrain.ts';
import type { Store } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import type { SceneMap } from './map.ts';
import { toTerrainSource } from './terrain-sources.ts';

interface ReliefParts {
  readonly store: Store<ViewerState>;
  readonly map: SceneMap;
  readonly readTiles: (format: TerrainFormat, signal: AbortSignal) => Promise<TerrainTiles>;
  readonly onCamera: (pitchDeg: number, bearingDeg: number) => void;
  /** The tiles are not described: the map stays flat. */
  readonly onFailure: (error: unknown) => void;
}

const HEIGHTS = 'terrain-heights';

/** How far the ground stands out. Two maps are flat: cameras over mountains cannot be made to agree to the pixel. */
const exaggerationOnMap = ({ phase, terrain, comparison, wantedComparison }: ViewerState): number | null => {
  const mode = comparison?.mode ?? wantedComparison?.mode ?? 'difference';
  return phase.kind === 'ready' && mode === 'difference' ? terrain.exaggeration : null;
};

/** Starts following. */
export const followRelief = ({ store, map, readTiles, onCamera, onFailure }: ReliefParts): void => {
  const { gl, setTilting } = map;
  const latest = makeLatest();
  const flatten = (): void => {
    gl.setTerrain(null);
    if (gl.getSource(HEIGHTS) !== undefined) gl.removeSource(HEIGHTS);
    // Level at once: a map that is flat but still tilted shows nothing that was asked for.
    gl.jumpTo({ pitch: 0, bearing: 0 });
    setTilting(false);
  };
  const raise = async (exaggeration: number | null): Promise<void> => {
    const signal = latest.start();
    // A flat map is flat from the start.
    if (exaggeration === null && gl.getTerrain() === null && gl.getPitch() === 0) return;
    map.setBusy();
    if (exaggeration === null) return flatten();
    try {
      if (gl.getSource(HEIGHTS) === undefined) {
        const tiles = await readTiles('terrarium', signal);
        if (signal.aborted) return;
        gl.addSource(HEIGHTS, toTerrainSource('terrarium', tiles, location.href));
      }
    } catch (error) {
      if (!signal.aborted) onFailure(error);
      return;
    }
    gl.setTerrain({ source: HEIGHTS, exaggeration });
    setTilting(true);
    const { pitchDeg, bearingDeg } = store.read().terrain;
    if (gl.getPitch() !== pitchDeg || gl.getBearing() !== bearingDeg)
      gl.easeTo({ pitch: pitchDeg, bearing: bearingDeg, duration: 600 });
  };

  store.watch(
    // After a failure it is tried again.
    (state) => `${exaggerationOnMap(state)} ${state.redraws}`,
    (_, state) => void raise(exaggerationOnMap(state)),
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
