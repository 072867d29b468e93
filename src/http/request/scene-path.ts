import type { SceneName } from '../../catalog/index.ts';
import { notFound } from '../../errors.ts';
import { takeViewId } from '../../sensors/index.ts';
import { belowRenderRoot, decodeSegments } from './render-path.ts';

/** A scene, and the segments of the path after it, decoded. */
type SceneAndRest = SceneName & { readonly rest: readonly string[] };

/** Reads a scene from the beginning of decoded segments: the sensor's grammar says how many its name has. */
export function takeScene(segments: readonly string[]): SceneAndRest {
  // Terrain stands where others have a sensor: its own addresses do not come here.
  if (segments[0] === 'terrain') {
    throw notFound(
      'unknown-route',
      'There is no such address of terrain: there are terrain/{z}/{x}/{y}, terrain/point/{lat}/{lon}, terrain/profile, terrain/statistics and terrain/tilejson.json.',
    );
  }
  const { view, rest } = takeViewId(segments);
  const { sensor, viewId, sceneName } = view;
  return { sensor, viewId, sceneName, rest };
}

/** Reads the raw path `/api/render/{sensor}/{verb}/{scene_id}/…`. */
export function parseSceneVerbPath(rawPath: string): SceneAndRest {
  const [sensor = '', , ...others] = decodeSegments(belowRenderRoot(rawPath));
  return takeScene([sensor, ...others]);
}
