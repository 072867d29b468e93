import { describeExpressions } from '../../bandmath/index.ts';
import type { SceneStore } from '../../catalog/index.ts';
import { chooseLevel, findScene } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import type { Sensor } from '../../sensors/index.ts';
import { parseViewId, sensors, toExpressionNames } from '../../sensors/index.ts';
import { badInput, notFound } from '../errors.ts';
import type { Answer } from '../kit/answers.ts';
import { answerCachedJson, DAY_S, findGainNote } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { sensorParameter } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { defineParameters, text } from '../kit/parameters.ts';
import { belowRenderRoot, decodeSegments } from '../kit/paths.ts';

interface ParseVbDeps {
  readonly scenes: SceneStore;
  /** How long clients may cache what depends on a scene. */
  readonly maxAgeS: number;
}

const parameters = defineParameters({
  scene_id: text({
    description:
      'A scene whose own bands are used. Required for Sentinel-1, where the bands depend on the polarisation, and for expressions that several CBERS4 cameras could compute.',
    fallback: null,
  }),
});

/** `GET /api/render/{sensor}/parse_vb/{bands}`. */
export const parseVb = (deps: ParseVbDeps): Endpoint => ({
  summary: 'The parts of a band expression',
  description:
    'Parses band math: its bands, with a letter each, and the expressions with letters in their place. An invalid expression is refused with the position of the error.',
  tag: 'Render',
  params: {
    sensor: sensorParameter,
    bands: {
      description: 'Band math; several expressions are separated by commas.',
      schema: json.string(),
      example: '(B08-B04)/(B08+B04)',
    },
  },
  query: parameters,
  answers: {
    200: {
      description: 'The parts, the type of each expression, and the bands in detail.',
      content: {
        'application/json': json.object({
          designators: json.list(json.string()),
          expressions: json.list(json.string()),
          band_ids: json.list(json.string()),
          types: json.list(json.choice(['int', 'float', 'boolean', 'band'])),
          bands: json.list(
            json.object({ designator: json.string(), band_id: json.string() }, { isOpen: true }),
          ),
          'note?': json.string(),
        }),
      },
    },
    304: { description: 'What you have (If-None-Match) is still current.' },
    400: { description: 'A scene_id is needed.' },
    404: { description: 'No such sensor or scene.' },
    422: { description: 'An unsupported band or operation; `position` counts characters from 0.' },
  },
  handle: (request) => answer(request, deps),
});

async function answer(request: ApiRequest, { scenes, maxAgeS }: ParseVbDeps): Promise<Answer> {
  const [name = '', , ...rest] = decodeSegments(belowRenderRoot(request.rawPath));
  const bands = rest.join('/');
  const sceneId = parameters.scene_id.read(request.query);
  const described =
    sceneId === null
      ? describe(bands, { sensor: findCamera(name, bands), viewId: null })
      : describe(bands, await narrowToScene(`${name}/${sceneId}`, scenes));
  return answerCachedJson(request, described, { maxAgeS: sceneId === null ? DAY_S : maxAgeS });
}

/** A sensor, perhaps with the bands of one scene alone. */
interface DescribedSensor {
  readonly sensor: Sensor;
  readonly viewId: string | null;
}

function describe(bandMath: string, { sensor, viewId }: DescribedSensor): object {
  const { designators, expressions, bandIds, types, bands } = describeExpressions(
    bandMath,
    toExpressionNames(sensor),
  );
  const note = findGainNote({ sensor, viewId, bands: bandMath });
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
