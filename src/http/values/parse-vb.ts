import { z } from 'zod';
import { describeExpressions } from '../../bandmath/index.ts';
import type { SceneStore } from '../../catalog/index.ts';
import { findScene } from '../../catalog/index.ts';
import { badInput, notFound } from '../../errors.ts';
import type { Sensor } from '../../sensors/index.ts';
import { parseViewId, sensorByAbbreviation, toExpressionNames } from '../../sensors/index.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { sensorParameter } from '../endpoint/scene-parameters.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { belowRenderRoot, decodeSegments } from '../request/render-path.ts';

/** `GET /api/render/{sensor}/parse_vb/{bands}` (interface 4.13). */
export const parseVb = (scenes: SceneStore): Endpoint => ({
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
        'A scene whose own bands count; required for Sentinel-1, where they depend on the polarisation.',
      schema: z.string(),
    },
  },
  answers: {
    200: {
      description: 'The parts, and beyond the interface the type of each expression and the bands in detail.',
      content: {
        'application/json': z.object({
          designators: z.array(z.string()),
          expressions: z.array(z.string()),
          band_ids: z.array(z.string()),
          types: z.array(z.enum(['int', 'float', 'boolean', 'band'])),
          bands: z.array(z.object({ designator: z.string(), band_id: z.string() }).loose()),
        }),
      },
    },
    404: { description: 'No such sensor or scene.' },
    422: { description: 'An unsupported band or operation; `position` counts characters from 0.' },
  },
  handle: (request) => answer(request, scenes),
});

async function answer({ rawPath, query }: ApiRequest, scenes: SceneStore): Promise<Response> {
  const [name = '', , ...rest] = decodeSegments(belowRenderRoot(rawPath));
  const sensor = sensorByAbbreviation(name);
  if (sensor === null) throw notFound('no-such-sensor', `There is no sensor ${name.slice(0, 40)}.`);
  const seen = await narrowToScene(sensor, query.get('scene_id') ?? null, scenes);
  const { designators, expressions, bandIds, types, bands } = describeExpressions(
    rest.join('/'),
    toExpressionNames(seen),
  );
  return Response.json({
    ...{ designators, expressions, band_ids: bandIds, types },
    bands: bands.map(({ designator, bandId, resolutionM, scene, needsReflectance }) => ({
      ...{ designator, band_id: bandId, resolution: resolutionM },
      ...(scene === 'earlier' ? { scene } : {}),
      ...(needsReflectance ? { calibrated: true } : {}),
    })),
  });
}

/** The sensor with the bands that a scene really has. */
async function narrowToScene(sensor: Sensor, sceneId: string | null, scenes: SceneStore): Promise<Sensor> {
  if (sceneId === null) {
    if (sensor.bands.some(({ kind }) => kind === 'radar')) {
      throw badInput(
        'scene-id-needed',
        `${sensor.title} needs scene_id: its bands depend on the polarisation.`,
      );
    }
    return sensor;
  }
  const scene = await findScene(scenes, parseViewId(`${sensor.abbreviation}/${sceneId}`));
  return { ...sensor, bands: sensor.bands.filter(({ name }) => Object.hasOwn(scene.assets, name)) };
}
