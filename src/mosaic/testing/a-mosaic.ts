import type { SceneHit } from '../../catalog/index.ts';
import type { Composition, MosaicSearch } from '../mosaic.ts';

/** All scenes of July. */
export const july: MosaicSearch = {
  datasets: ['sentinel2l2a'],
  period: { from: '2026-07-01', to: '2026-07-31' },
  maxCloudPercent: null,
  area: null,
};

/** The newest scene, without all that a mask knows. */
export const newest: Composition = {
  selection: { kind: 'newest' },
  masked: { clouds: true, cirrus: true, shadows: true },
  dilateM: 0,
  featherPx: 0,
};

/** A hit of a search with plain facts. */
export const toHit = (
  facts: Pick<SceneHit, 'viewId' | 'sceneId' | 'acquiredAt' | 'footprint'> & Partial<SceneHit>,
): SceneHit => ({
  dataset: 'sentinel2l2a',
  cloudPercent: 10,
  sunElevationDeg: null,
  sunAzimuthDeg: null,
  coveragePercent: null,
  fields: {},
  provenance: 'folder',
  version: '1',
  ...facts,
});
