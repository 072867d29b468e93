import { z } from 'zod';
import type { Endpoint, ParameterDoc } from './endpoint.ts';

/** The sensor in a path, for the documentation. */
export const sensorParameter: ParameterDoc = {
  description: 'Abbreviation, as in view ids.',
  schema: z.string(),
  example: 'S2',
};

/** How `/api/render/{sensor}/{verb}/{scene_id}` names a scene, for the documentation. */
export const sceneParameters = {
  sensor: sensorParameter,
  scene_id: {
    description: 'The view id without its sensor; holds slashes.',
    schema: z.string(),
    example: '31/T/DH/2026/6/21/0',
  },
} as const satisfies Endpoint['params'];

/** What may go wrong wherever pixels are read, for the documentation. */
export const pixelFailures: Endpoint['answers'] = {
  502: { description: 'A file of the scene is damaged or gone.' },
  503: { description: 'Too much work at once; come back after Retry-After seconds.' },
  504: { description: 'It took too long.' },
};
