import type { SceneStore } from '../../catalog/index.ts';
import type { KeyStore } from '../../keys/index.ts';
import { rememberAnswers } from './recent-answers.ts';
import { rememberMeasurements } from './remembered-measurements.ts';
import type { Store } from './store.ts';

interface OutageOptions {
  /** Monotonic. */
  readonly nowMs: () => number;
  /** How long keys and scenes that the store has found stay in use while it does not answer. */
  readonly outageMs: number;
}

/** As many as are in use at a time on a busy node. */
const MOST = { keys: 10_000, scenes: 256, contrasts: 10_000, intensities: 1_000 } as const;

/**
 * A store whose last answers stay in use for a short time when it does not answer, so that maps that are being looked at
 * go on: keys that were valid, scenes, and what was measured of them. While the store answers it is always asked: a key
 * that is revoked ends at once.
 */
export function surviveOutages(store: Store, options: OutageOptions): Store {
  const { keys, scenes, contrasts, intensities } = store;
  const findKey = rememberAnswers<Awaited<ReturnType<KeyStore['findByHash']>>>({
    ...options,
    most: MOST.keys,
  });
  const findScene = rememberAnswers<Awaited<ReturnType<SceneStore['findByViewId']>>>({
    ...options,
    most: MOST.scenes,
  });
  return {
    ...store,
    keys: { ...keys, findByHash: (hash) => findKey(hash, () => keys.findByHash(hash)) },
    scenes: {
      ...scenes,
      findByViewId: (viewId) => findScene(`id ${viewId}`, () => scenes.findByViewId(viewId)),
      findByName: (dataset, name) =>
        findScene(`name ${dataset} ${name}`, () => scenes.findByName(dataset, name)),
    },
    contrasts: rememberMeasurements(contrasts, MOST.contrasts),
    intensities: rememberMeasurements(intensities, MOST.intensities),
  };
}
