import { z } from 'zod';
import { badInput } from '../../errors.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { DOWNLOAD_DEFAULTS } from './statistics-params.ts';
import { noStore } from './task.ts';
import { taskBody } from './task-body.ts';
import type { OrderDeps } from './task-orders.ts';
import { readOrder } from './task-orders.ts';

/** `POST /api/tasks/estimate`: what an order would make, without ordering it. */
export const estimateTask = (deps: OrderDeps): Endpoint => ({
  summary: 'Estimate a task',
  description:
    'Takes the body of an order and checks it as an order is checked: what cannot be done is refused with the same codes. Nothing is stored, and quotas are not counted.',
  tag: 'Tasks',
  body: taskBody,
  answers: {
    200: {
      description: 'The order can be carried out.',
      content: {
        'application/json': z.object({
          estimated_bytes: z.number().describe('What the file will take at most, roughly.'),
          file_name: z.string().nullable().describe('Null for statistics, which make no file.'),
        }),
      },
    },
    400: { description: 'The order is malformed or cannot be carried out; the text says why.' },
    404: { description: 'No such scene, area or colormap.' },
    413: { description: 'The body is too large.' },
  },
  async handle(request) {
    const { estimatedBytes, fileName, refusal } = await readOrder(request, DOWNLOAD_DEFAULTS, deps);
    if (refusal !== null) throw badInput(refusal.code, refusal.message);
    return Response.json({ estimated_bytes: estimatedBytes, file_name: fileName }, { headers: noStore });
  },
});
