import type { Scene } from '../../catalog/index.ts';
import type { Sensor } from '../../sensors/index.ts';

/** Where the cloud cover of a scene, or of a part of it, is known from. */
export type CoverSource =
  | { readonly kind: 'unknown' }
  /** Without correction where clouds are no data already, and so none of the values is one. */
  | { readonly kind: 'known'; readonly percent: number; readonly isCorrection: boolean }
  /** To be counted, pixel by pixel, with or without cirrus. */
  | { readonly kind: 'pixels'; readonly onlyOpaque: boolean };

interface CoverRequest {
  readonly scene: Scene;
  readonly sensor: Sensor;
  /** Neither bounds nor an area narrow what is looked at. */
  readonly isWhole: boolean;
  readonly onlyOpaque: boolean;
}

/** Cirrus does not count by default where a mask tells it apart from clouds. */
export const isOpaqueByDefault = ({ cloud }: Sensor): boolean =>
  'onlyOpaqueByDefault' in cloud && cloud.onlyOpaqueByDefault;

/** Where the clouds of a whole scene are known from if the caller does not say which of them count. */
export const chooseDefaultCover = (scene: Scene, sensor: Sensor): CoverSource =>
  chooseCoverSource({ scene, sensor, isWhole: true, onlyOpaque: isOpaqueByDefault(sensor) });

const UNKNOWN: CoverSource = { kind: 'unknown' };

/**
 * The table of docs/use/clouds.md. The percentage of a scene's metadata counts clouds of all kinds and the whole scene, so it
 * stands for nothing else; where a scene comes without a mask, it is all there is for the whole scene.
 */
export function chooseCoverSource({ scene, sensor, isWhole, onlyOpaque }: CoverRequest): CoverSource {
  const { cloud } = sensor;
  if (cloud.kind === 'none') return UNKNOWN;
  if (cloud.kind === 'masked') return { kind: 'known', percent: 0, isCorrection: false };
  // Below 0 means "not computed", and so does no number at all.
  const stated: CoverSource = {
    kind: 'known',
    percent: Math.max(0, scene.cloudPercent ?? 0),
    isCorrection: true,
  };
  if (cloud.kind === 'scene-percent') return isWhole ? stated : UNKNOWN;
  if (isWhole && !onlyOpaque && scene.cloudPercent !== null) return stated;
  if (scene.cloudMask !== undefined) return { kind: 'pixels', onlyOpaque };
  return isWhole && scene.cloudPercent !== null ? stated : UNKNOWN;
}
