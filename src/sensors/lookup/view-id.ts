import { makeLru } from '../../lru.ts';
import { sensors } from '../all-sensors.ts';
import type { ParsedName, SceneParts } from '../definition/scene-name.ts';
import { readSceneName, toSceneText } from '../definition/scene-name.ts';
import type { Sensor } from '../definition/sensor.ts';
import { badInput, notFound } from '../errors.ts';

/** A parsed view id. */
export interface ViewId {
  readonly sensor: Sensor;
  /** The canonical form: the sensor's own abbreviation, then the scene name. */
  readonly viewId: string;
  /** The scene id in the paths of previews, points and intensity ranges. */
  readonly sceneName: string;
  /** The form of the scene name: `scene-id` or `product-id` of Landsat. */
  readonly form: string;
  readonly parts: SceneParts;
  /** Day of acquisition, `YYYY-MM-DD`. */
  readonly date: string;
  /** A point inside the scene, longitude and latitude; null if the name does not state its place. */
  readonly point: ParsedName['point'];
}

/** Longer view ids are refused; the longest real one, of NAIP, has 72 characters. */
const MAX_CHARS = 300;

/** Parses a whole view id; throws `not-found` with the reason if no scene can have it. */
export function parseViewId(text: string): ViewId {
  if (text.length > MAX_CHARS) {
    throw notFound(
      'unknown-scene',
      `There is no such scene: no view id is longer than ${MAX_CHARS} characters.`,
    );
  }
  const { view, rest } = takeViewId(text.split('/'));
  if (rest.length > 0) {
    throw notFound(
      'unknown-scene',
      `There is no such scene: a view id of ${view.sensor.title} ends after ${view.sensor.sceneName.example}.`,
    );
  }
  return view;
}

/**
 * Parses a view id at the beginning of path segments, for URLs where more follows. `CBERS4` finds the camera by the name
 * of the scene, and the orbit that some clients put before Sentinel-1 names is ignored.
 */
export function takeViewId(segments: readonly string[]): {
  readonly view: ViewId;
  readonly rest: readonly string[];
} {
  const abbreviation = segments[0] ?? '';
  const path = segments.slice(1);
  const candidates = sensors.filter(
    (sensor) => sensor.abbreviation === abbreviation || sensor.sharedAbbreviations.includes(abbreviation),
  );
  const problems: string[] = [];
  for (const sensor of candidates) {
    const { prefix, segments: count } = sensor.sceneName;
    const from = prefix?.isValid(path[0] ?? '') === true ? 1 : 0;
    const view = readView(sensor, path.slice(from, from + count));
    if (typeof view !== 'string') return { view, rest: path.slice(from + count) };
    problems.push(`${sensor.title}: ${view}`);
  }
  if (problems.length > 0) throw notFound('unknown-scene', `There is no such scene. ${problems.join('; ')}.`);
  throw notFound(
    'unknown-sensor',
    `There is no sensor ${JSON.stringify(abbreviation.slice(0, 20))}; sensors are ${listAbbreviations()}.`,
  );
}

/** View ids that were read last: a map asks for one scene hundreds of times. */
const recent = makeLru<ViewId>({ max: 256 });

/** Reads the name of a scene; a message if it does not follow the grammar. */
function readView(sensor: Sensor, segments: readonly string[]): ViewId | string {
  // No segment holds a slash: an encoded one separates segments too.
  const name = `${sensor.abbreviation}/${segments.join('/')}`;
  const known = recent.get(name);
  if (known !== undefined) return known;
  const scene = readSceneName(sensor.sceneName, segments);
  if (typeof scene === 'string') return scene;
  const view = toViewId(sensor, scene);
  recent.set(name, view);
  return view;
}

/** Writes a view id from the fields of a scene name; throws `bad-input` if they are not valid. */
export function formatViewId(sensor: Sensor, parts: Readonly<Record<string, string | number>>): string {
  const fits = sensor.sceneName.forms.find(({ fields }) =>
    fields.every(({ name, optional }) => optional === true || parts[name] !== undefined),
  );
  const text = fits === undefined ? '' : toSceneText(fits, parts);
  const scene = readSceneName(sensor.sceneName, fits?.separator === '/' ? text.split('/') : [text]);
  if (typeof scene === 'string') {
    throw badInput('bad-scene-name', `These fields name no scene of ${sensor.title}: ${scene}.`);
  }
  return toViewId(sensor, scene).viewId;
}

const toViewId = (sensor: Sensor, { text, form, parts, date, point }: ParsedName): ViewId => ({
  sensor,
  viewId: `${sensor.abbreviation}/${text}`,
  sceneName: text,
  form,
  parts,
  date,
  point,
});

const listAbbreviations = (): string =>
  [
    ...new Set(
      sensors.flatMap(({ abbreviation, sharedAbbreviations }) => [abbreviation, ...sharedAbbreviations]),
    ),
  ]
    .sort()
    .join(', ');
