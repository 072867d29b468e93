/** Statistics of the fields of a file that comes with the order: larger than a body of JSON may be, and of any format of imports. */

import { randomUUID } from 'node:crypto';
import { isObject } from '../../json.ts';
import { toUploadKey } from '../../objects/index.ts';
import { badInput } from '../errors.ts';
import type { FieldFileDeps } from '../fields/field-files.ts';
import { importParameters, makeTurns, readImport, SHAPE_TYPES, toFileTicket } from '../fields/field-files.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { Params } from '../kit/fields.ts';
import { refuseField } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { limits } from '../kit/limits.ts';
import { custom, defineParameters } from '../kit/parameters.ts';
import type { TaskDeps } from '../tasks/task.ts';
import { readTable, refuseAreas, refuseUnusable, rejectedSchema, toRejected } from './fields-orders.ts';
import { answerStarted, NOW_DEFAULTS, statisticsAnswers, toTaskParams } from './statistics.ts';

const { format, id_property, name_property, sown_property } = importParameters;

const collectionParameters = {
  ...defineParameters({
    order: custom({
      description:
        'Required: the body of POST /api/statistics for many fields as JSON, without group, fields and collection.',
      example: '{"expressions":["NDVI"],"date_start":"2026-01-01","date_end":"2026-12-31"}',
      schema: json.string(),
      fallback: null,
      rule: 'must be an object as JSON, such as {"expressions": ["NDVI"]}.',
      read: parseOrder,
    }),
  }),
  format,
  id_property,
  name_property,
  sown_property,
};

/** Rows with swapped axes that an answer names. */
const MAX_TURNED = 1_000;

/** `POST /api/statistics/collection`. */
export const orderCollection = (deps: TaskDeps & FieldFileDeps, inTurn = makeTurns()): Endpoint => ({
  summary: 'Statistics of the fields of a file',
  description:
    'The body is a file, as POST /api/fields/import reads it; nothing of it is stored as fields. Each row is checked before the answer, which is a task: its result is one table, as POST /api/statistics makes it for many fields.',
  tag: 'Tasks',
  query: collectionParameters,
  body: {
    description: `The file, up to ${limits.uploadBytes / 2 ** 20} MiB.`,
    schema: json.any(),
    types: [...Object.keys(SHAPE_TYPES), 'application/octet-stream'],
  },
  answers: {
    202: {
      description: 'The task; Location is the address to poll.',
      content: {
        'application/json': json.object({
          status: json.string(),
          task_id: json.string(),
          progress: json.number(),
          rows: json.integer({ description: 'Rows of the file.' }),
          ...rejectedSchema,
          turned: json.list(json.integer(), {
            description:
              'Rows that would lie among the others with latitude and longitude swapped: the first thousand. They are measured as they are.',
          }),
          warning: json.nullable(json.string(), { description: 'What to look at in the file as a whole.' }),
        }),
      },
    },
    400: { description: 'The query is malformed, or nothing of the file can be used.' },
    402: { description: 'The key has no room for a task of this size.' },
    413: { description: 'The file is too large.' },
    422: {
      description: 'The file has another format or reference system than can be read, or too many rows.',
    },
    429: statisticsAnswers[429] as { description: string },
    503: { description: 'Another file of this key is coming in; retry after it.' },
  },
  handle: (request) => inTurn(request.ticket.owner, () => takeCollection(request, deps)),
});

async function takeCollection(
  request: ApiRequest,
  { fieldFiles: { checkFile, blobs }, tasks, statisticsLimits }: TaskDeps & FieldFileDeps,
): Promise<Answer> {
  const { owner } = request.ticket;
  const given = collectionParameters.order.read(request.query);
  if (given === null) throw refuseField('order', 'is required: what is measured, as JSON.');
  const params = toTaskParams(given);
  refuseAreas(params, 0);
  const toOrder = readTable(params, NOW_DEFAULTS, statisticsLimits);
  const toImport = readImport(request);
  const id = randomUUID();
  const staged = await blobs.stage(toUploadKey(id));
  try {
    const path = `${staged.path}.file`;
    const { bytes, digest } = await request.saveBody(path, limits.uploadBytes);
    if (bytes === 0) throw badInput('no-body', 'The request needs a file as its body.');
    const checked = await checkFile({
      owner,
      order: toImport(digest),
      path,
      // The task reads what is checked, and not the file.
      checkedPath: staged.path,
      maxRows: Number.POSITIVE_INFINITY,
      ticket: toFileTicket(request.ticket),
    });
    const { rows, refused, faults, turned, warning } = checked;
    if (rows === refused) throw refuseUnusable('The file', faults);
    const { order, estimatedBytes } = toOrder({ kind: 'file', digest }, rows - refused);
    await staged.publish({ contentType: 'application/octet-stream' }, request.ticket.signal);
    const ordered = {
      id,
      owner,
      kind: 'fields-statistics',
      reference: null,
      viewId: null,
      order,
      area: null,
    };
    // Its rows are about as long as the file, and stay as long as the task.
    const task = await tasks
      .create({ ...ordered, estimatedBytes: estimatedBytes + bytes })
      .catch(async (error: unknown) => {
        await blobs.remove(toUploadKey(id));
        throw error;
      });
    const rejected = toRejected(faults, refused);
    return answerStarted(request, task.id, {
      rows,
      ...rejected,
      turned: turned.slice(0, MAX_TURNED),
      warning,
    });
  } finally {
    await staged.discard();
  }
}

function parseOrder(written: string): Params | null {
  try {
    const given: unknown = JSON.parse(written);
    return isObject(given) ? given : null;
  } catch {
    return null;
  }
}
