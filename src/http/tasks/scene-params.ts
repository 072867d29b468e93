import type { Sensor } from '../../sensors/index.ts';
import { parseViewId } from '../../sensors/index.ts';
import type { Params } from '../request/params.ts';
import { requireText } from '../request/params.ts';

/** The scene that a task is about. */
export interface OrderedScene {
  readonly viewId: string;
  /** The view id without its sensor. */
  readonly sceneName: string;
  readonly sensor: Sensor;
}

/** The scene of `view_id`; `%2F` stands for a slash, and slashes around it do not count. */
export function readScene(params: Params): OrderedScene {
  const text = requireText(params, 'view_id')
    .trim()
    .replaceAll(/%2f/gi, '/')
    .replace(/^\//, '')
    .replace(/\/$/, '');
  const { viewId, sceneName, sensor } = parseViewId(text);
  return { viewId, sceneName, sensor };
}
