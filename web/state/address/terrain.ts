/** The ground under the scene: `terrain=hillshade&relief=1.5,55,-20`, exaggeration, pitch and bearing in three dimensions. */
import type { Terrain } from '../../scenes/terrain.ts';
import { EXAGGERATIONS, MAX_PITCH_DEG, NO_TERRAIN, TERRAIN_LAYERS } from '../../scenes/terrain.ts';
import { DECIMAL } from './forms.ts';

/** Reads it. */
export const parseTerrain = (parts: URLSearchParams): Terrain => {
  const layer = TERRAIN_LAYERS.find((name) => name === parts.get('terrain')) ?? NO_TERRAIN.layer;
  const relief = (parts.get('relief') ?? '').split(',');
  if (relief.length !== 3 || !relief.every((part) => DECIMAL.test(part))) return { ...NO_TERRAIN, layer };
  const [exaggeration = 0, pitchDeg = 0, bearingDeg = 0] = relief.map(Number);
  const isGood =
    exaggeration >= EXAGGERATIONS.min &&
    exaggeration <= EXAGGERATIONS.max &&
    pitchDeg >= 0 &&
    pitchDeg <= MAX_PITCH_DEG &&
    Math.abs(bearingDeg) <= 180;
  return isGood ? { layer, exaggeration, pitchDeg, bearingDeg } : { ...NO_TERRAIN, layer };
};

/** Writes what is not flat and bare. */
export const toTerrainParts = ({ layer, exaggeration, pitchDeg, bearingDeg }: Terrain): string[] => [
  ...(layer === 'none' ? [] : [`terrain=${layer}`]),
  ...(exaggeration === null ? [] : [`relief=${exaggeration},${pitchDeg},${bearingDeg}`]),
];
