import { z } from 'zod';
import { listFunctions } from '../../bandmath/index.ts';
import { answerCachedJson } from '../answer/cached-answer.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';

/** `GET /api/functions`: what band math can call. */
export const functionList: Endpoint = {
  summary: 'All functions of band math',
  tag: 'Service',
  answers: {
    200: {
      description: 'The functions, in the order of their names, with the number of their operands.',
      content: {
        'application/json': z.object({
          functions: z.array(z.object({ name: z.string(), min_args: z.int(), max_args: z.int() })),
        }),
      },
    },
    304: { description: 'The list you have (If-None-Match) is still right.' },
  },
  handle: (request) => answerCachedJson(request, { functions: toWireFunctions() }),
};

/** The functions as the answer has them. */
export const toWireFunctions = () =>
  listFunctions().map(({ name, minArgs, maxArgs }) => ({ name, min_args: minArgs, max_args: maxArgs }));
