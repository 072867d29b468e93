import { z } from 'zod';
import { describeExpressions } from '../../bandmath/index.ts';
import type { SceneStore } from '../../catalog/index.ts';
import { chooseLevel, findScene } from '../../catalog/index.ts';
import { badInput, isSwathError, notFound } from '../../errors.ts';
import type { Sensor } from '../../sensors/index.ts';
import { parseViewId, sensors, toExpressionNames } from '../../sensors/index.ts';
import { answerCachedJson, DAY_S } from '../answer/cached-answer.ts';
import { findGainNote } from '../answer/gain-note.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { sensorParameter } from '../endpoint/shared-docs.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { belowRenderRoot, decodeSegments } from '../request/render-path.ts';

interface ParseVbDeps {
  readonly scenes: SceneStore;
  /** How long clients may cache what depends on a scene. */
  readonly maxAgeS: number;
}

/** `GET /api/render/{sensor}/parse_vb/{bands}`. */
export const parseVb = (deps: ParseVbDeps): Endpoint => ({
  summary: 'What a band expression consists of',
  description:
    'Takes band math apart: its bands, with a letter each, and the expressions with letters in their place. An expression that cannot be computed is refused with the position of what is wrong.',
  tag: 'Render',
  params: {
    sensor: sensorParameter,
    bands: {
      description: 'Band math; several expressions are separated by commas.',
      schema: z.string(),
      example: '(B08-B04)/(B08+B04)',
    },
  },
  query: {
    scene_id: {
      description:
        'A scene whose own bands count; required for Sentinel-1, where they depend on the polarisation, and for what several cameras of CBERS4 could mean.',
      schema: z.string(),
    },
  },
  answers: {
    200: {
      description: 'The parts, the type of each expression, and the bands in detail.',
      content: {
        'application/json': z.object({
          designators: z.array(z.string()),
          expressions: z.array(z.string()),
          band_ids: z.array(z.string()),
          types: z.array(z.enum(['int', 'float', 'boolean', 'band'])),
          bands: z.array(z.object({ designator: z.string(), band_id: z.string() }).loose()),
          note: z.string().optional(),
        }),
      },
    },
    304: { description: 'What you have (If-None-Match) is still right.' },
    400: { description: 'A scene_id is needed.' },
    404: { description: 'No such sensor or scene.' },
    422: { description: 'An unsupported band or operation; `position` counts characters from 0.' },
  },
  handle: (request) => answer(request, deps),
});

async function answer(request: ApiRequest, { scenes, maxAgeS }: ParseVbDeps): Promise<Response> {
  const [name = '', , ...rest] = decodeSegments(belowRenderRoot(request.rawPath));
  const bands = rest.join('/');
  const sceneId = request.query.get('scene_id');
  const described =
    sceneId === undefined
      ? describe(bands, { sensor: findCamera(name, bands), viewId: null })
      : describe(bands, await narrowToScene(`${name}/${sceneId}`, scenes));
  return answerCachedJson(request, described, { maxAgeS: sceneId === undefined ? DAY_S : maxAgeS });
}

/** A sensor, perhaps with the bands of one scene alone. */
interface DescribedSensor {
  readonly sensor: Sensor;
  readonly viewId: string | null;
}

function describe(text: string, { sensor, viewId }: DescribedSensor): object {
  const { designators, expressions, bandIds, types, bands } = describeExpressions(
    text,
    toExpressionNames(sensor),
  );
  const note = findGainNote({ sensor, viewId, bands: text });
  return {
    designators,
    expressions,
    band_ids: bandIds,
    types,
    bands: bands.map(({ designator, bandId, resolutionM, scene, needsReflectance }) => ({
      designator,
      band_id: bandId,
      resolution: resolutionM,
      ...(scene === 'earlier' ? { scene } : {}),
      ...(needsReflectance ? { calibrated: true } : {}),
    })),
    ...(note === null ? {} : { note }),
  };
}

/** The sensor of an abbreviation; of one that cameras share, the only camera that can compute this. */
function findCamera(name: string, bands: string): Sensor {
  const cameras = sensors.filter(
    ({ abbreviation, sharedAbbreviations }) => abbreviation === name || sharedAbbreviations.includes(name),
  );
  const [first] = cameras;
  if (first === undefined) throw notFound('no-such-sensor', `There is no sensor ${name.slice(0, 40)}.`);
  if (cameras.length === 1) return refuseRadar(first);
  const able = cameras.filter((camera) => canDescribe(bands, camera));
  if (able.length > 1) {
    const names = able.map(({ abbreviation }) => abbreviation).join(', ');
    throw badInput('scene-id-needed', `${name} needs scene_id here: this could be of ${names}.`);
  }
  return able[0] ?? first;
}

function refuseRadar(sensor: Sensor): Sensor {
  if (sensor.bands.every(({ kind }) => kind !== 'radar')) return sensor;
  throw badInput('scene-id-needed', `${sensor.title} needs scene_id: its bands depend on the polarisation.`);
}

function canDescribe(bands: string, sensor: Sensor): boolean {
  try {
    describe(bands, { sensor, viewId: null });
    return true;
  } catch (error) {
    if (isSwathError(error)) return false;
    throw error;
  }
}

/** The sensor of a view id with the bands that the scene really has. */
async function narrowToScene(viewId: string, scenes: SceneStore): Promise<DescribedSensor> {
  const view = await chooseLevel(scenes, parseViewId(viewId));
  const scene = await findScene(scenes, view);
  const bands = view.sensor.bands.filter(({ name }) => Object.hasOwn(scene.assets, name));
  return { sensor: { ...view.sensor, bands }, viewId: view.viewId };
}
