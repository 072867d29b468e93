import { z } from 'zod';
import { sensors } from '../../sensors/index.ts';
import type { Endpoint, ParameterDoc } from './endpoint.ts';

/** How paths name sensors; some names are shared, and the name of the scene decides. */
const abbreviations = [
  ...new Set(
    sensors.flatMap(({ abbreviation, sharedAbbreviations }) => [abbreviation, ...sharedAbbreviations]),
  ),
].sort();

/** A scene of the demo world, also of the small one, and what lies in it: examples work on a new installation. */
export const EXAMPLE_SCENE = {
  viewId: 'S2L2A/10/U/EU/2026/6/21/1',
  sceneId: '10/U/EU/2026/6/21/1',
  /** A tile in it. */
  z: '12',
  x: '655',
  y: '1420',
  lat: '48.22',
  lon: '-122.41',
} as const;

/** The sensor in a path, for the documentation. */
export const sensorParameter: ParameterDoc = {
  description: 'Abbreviation, as in view ids.',
  schema: z.enum(abbreviations),
  example: 'S2L2A',
};

/** How `/api/render/{sensor}/{verb}/{scene_id}` names a scene, for the documentation. */
export const sceneParameters = {
  sensor: sensorParameter,
  scene_id: {
    description: 'The view id without its sensor; holds slashes.',
    schema: z.string(),
    example: EXAMPLE_SCENE.sceneId,
  },
} as const satisfies Endpoint['params'];

/** What may go wrong wherever pixels are read, for the documentation. */
export const pixelFailures: Endpoint['answers'] = {
  502: { description: 'A file of the scene is damaged or gone.' },
  503: { description: 'Too much work at once; come back after Retry-After seconds.' },
  504: { description: 'It took too long.' },
};
