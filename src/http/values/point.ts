import { z } from 'zod';
import type { SceneStore } from '../../catalog/index.ts';
import { chooseLevel } from '../../catalog/index.ts';
import { badInput } from '../../errors.ts';
import type { ReadPoint } from '../../render/index.ts';
import { toCacheHeaders } from '../answer/cached-answer.ts';
import { noteGains, noteHeaders } from '../answer/gain-note.ts';
import { nameScene, sceneHeaders } from '../answer/scene-used.ts';
import { toShortest } from '../answer/shortest-float.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { EXAMPLE_SCENE, pixelFailures, sceneParameters } from '../endpoint/shared-docs.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { parsePoint } from '../request/point.ts';
import { parseSceneVerbPath } from '../request/scene-path.ts';
import { parseSwitch, SWITCH_NAMES } from '../request/switch.ts';

/** What point values are read with. */
export interface PointDeps {
  readonly scenes: SceneStore;
  readonly readPoint: ReadPoint;
  /** How long clients may cache a value: as long as a tile. */
  readonly maxAgeS: number;
}

const value = z.number().nullable();

/** `GET /api/render/{sensor}/point/{scene_id}/{bands}/{lat}/{lon}`. */
export const pointValue = (deps: PointDeps): Endpoint => ({
  summary: 'The value of a band or expression at a point',
  description:
    'The pixel of each band that the point lies in, at full resolution, and what the expression makes of them. Null where there is no number: the pixel is masked or outside of one of the bands, or the expression gives NaN or an infinity there, which JSON cannot say. Of several expressions, separated by commas, the values stand in `index_values` in their order, and `index_value` is null. Functions that look at other pixels (unwrap, all) have no value at a point.',
  tag: 'Render',
  params: {
    ...sceneParameters,
    bands: { description: 'A band, an index or any band math.', schema: z.string(), example: 'NDVI' },
    lat: {
      description: 'Latitude in degrees.',
      schema: z.number().min(-90).max(90),
      example: EXAMPLE_SCENE.lat,
    },
    lon: {
      description: 'Longitude in degrees.',
      schema: z.number().min(-180).max(180),
      example: EXAMPLE_SCENE.lon,
    },
  },
  query: {
    CALIBRATE: {
      description:
        'Reflectance, brightness temperature or sigma nought before the math; stored numbers without.',
      schema: z.enum(SWITCH_NAMES),
    },
  },
  answers: {
    200: {
      description: 'The value; of several expressions all of them.',
      headers: { ...sceneHeaders, ...noteHeaders },
      content: {
        'application/json': z.object({ index_value: value, index_values: z.array(value).optional() }),
      },
    },
    400: { description: 'The path or query is malformed, or the point is not on Earth.' },
    404: { description: 'No such scene, or the point lies outside of it.' },
    422: { description: 'An unsupported band or operation.' },
    ...pixelFailures,
  },
  handle: (request) => answer(request, deps),
});

async function answer(request: ApiRequest, { scenes, readPoint, maxAgeS }: PointDeps): Promise<Response> {
  const { rest, ...named } = parseSceneVerbPath(request.rawPath);
  if (rest.length < 3) {
    throw badInput('bad-path', 'The address of a point value ends in {scene_id}/{bands}/{lat}/{lon}.');
  }
  const [latText = '', lonText = ''] = rest.slice(-2);
  const point = parsePoint(latText, lonText);
  const calibrated = parseSwitch(request.query, 'CALIBRATE');
  const bands = rest.slice(0, -2).join('/');
  const scene = await chooseLevel(scenes, named);
  const values = await readPoint({ ...scene, bands, point, calibrated }, request.ticket);
  const shown = values.map((number) => (number === null ? null : toShortest(number)));
  const [only = null, ...more] = shown;
  const body = more.length === 0 ? { index_value: only } : { index_value: null, index_values: shown };
  const response = Response.json(body, { headers: toCacheHeaders(maxAgeS) });
  return nameScene(noteGains(response, { ...scene, bands, calibrated }), scene);
}
