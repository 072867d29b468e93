/** The ground under the scene, and maps in three dimensions. */
import type { Terrain, TerrainLayer } from '../scenes/terrain.ts';
import { EXAGGERATIONS, FIRST_PITCH_DEG, planOpacity } from '../scenes/terrain.ts';
import type { ActionParts } from './action-parts.ts';

/** What a user does to the ground. */
export interface TerrainActions {
  chooseTerrain(layer: TerrainLayer): void;
  /** Lets the ground stand out of the map, so many times its height; `null` makes the map flat. */
  raiseTerrain(exaggeration: number | null): void;
  /** The camera of a map in three dimensions came to rest. */
  rememberCamera(pitchDeg: number, bearingDeg: number): void;
}

/** Builds them. */
export const makeTerrainActions = ({ store }: ActionParts): TerrainActions => {
  const setTerrain = (change: (terrain: Terrain) => Partial<Terrain>): void =>
    store.update((state) => ({ ...state, terrain: { ...state.terrain, ...change(state.terrain) } }));
  return {
    chooseTerrain(layer) {
      store.update((state) => ({
        ...state,
        opacity: planOpacity(state.opacity, state.terrain.layer, layer),
        terrain: { ...state.terrain, layer },
      }));
    },
    raiseTerrain(exaggeration) {
      const limited = exaggeration && Math.min(EXAGGERATIONS.max, Math.max(EXAGGERATIONS.min, exaggeration));
      setTerrain(({ exaggeration: before }) => {
        if (limited === null) return { exaggeration: null, pitchDeg: 0, bearingDeg: 0 };
        return before === null
          ? { exaggeration: limited, pitchDeg: FIRST_PITCH_DEG, bearingDeg: 0 }
          : { exaggeration: limited };
      });
    },
    rememberCamera: (pitchDeg, bearingDeg) =>
      // A map on its way back to flat ends at 0 by itself.
      setTerrain(({ exaggeration }) => (exaggeration === null ? {} : { pitchDeg, bearingDeg })),
  };
};
