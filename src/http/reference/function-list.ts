import { listFunctions } from '../../bandmath/index.ts';
import { answerCachedJson } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';

/** `GET /api/functions`: what band math can call. */
export const functionList: Endpoint = {
  summary: 'All functions of band math',
  tag: 'Service',
  answers: {
    200: {
      description: 'The functions, in the order of their names, with the number of their operands.',
      content: {
        'application/json': json.object({
          functions: json.list(
            json.object({ name: json.string(), min_args: json.integer(), max_args: json.integer() }),
          ),
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
