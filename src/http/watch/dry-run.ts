/** Dry runs: what a subscription would have told over days that have passed. */

import { addDays } from '../../watch/index.ts';
import { EXAMPLE_AREA } from '../areas.ts';
import { Answer } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { number, toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { noStore } from '../tasks/task.ts';
import { downloadAnswers } from '../tasks/task-answers.ts';
import { subscriptionFields } from './subscription-fields.ts';
import type { SubscriptionDeps } from './subscriptions.ts';
import { malformed, readWatched, toBody } from './subscriptions.ts';

const { callback_url: _callback, email: _email, since: _since, name: _name, ...watched } = subscriptionFields;

const dryRunFields = {
  ...watched,
  days: number({
    min: 1,
    max: 1_100,
    isWhole: true,
    fallback: 365,
    description: 'The days up to today that are tried; 365 by default.',
  }),
};

/** The file of a dry run: some hundred bytes for each of its events. */
const DRY_RUN_BYTES = 4_000_000;

/** `POST /api/subscriptions/dry-run`. */
export const dryRunSubscription = (deps: SubscriptionDeps): Endpoint => ({
  summary: 'What a subscription would have told over the last year',
  description:
    'A task measures the scenes of the days, and of those before that the condition looks back at. Its result is a JSON file with the events. Nothing is stored or sent.',
  tag: 'Subscriptions',
  body: {
    description: 'As for a subscription, without its receivers.',
    schema: toObjectSchema(dryRunFields),
    example: {
      geometry: EXAMPLE_AREA,
      expression: 'NDVI',
      condition: { kind: 'drop', by: 0.2, against: 'last' },
      days: 90,
    },
  },
  answers: {
    202: {
      description: 'The task; its result is a file.',
      content: {
        'application/json': json.object(
          { status: json.string(), task_id: json.string(), reference: json.string() },
          { isOpen: true },
        ),
      },
    },
    400: malformed,
    404: { description: 'No such area.' },
    413: { description: 'The body is too large.' },
    422: { description: 'The area cannot be used; the message says why.' },
    429: { description: 'The key has reached its limit of open tasks (too-many-tasks).' },
  },
  async handle(request) {
    const body = toBody(await request.readJson());
    const days = dryRunFields.days.parse(body.days, 'days');
    const content = await readWatched(body, request, deps);
    const to = deps.now().toISOString().slice(0, 10);
    const task = await deps.tasks.create({
      owner: request.ticket.owner,
      kind: 'dry-run',
      reference: null,
      viewId: null,
      order: { ...content, days: { from: addDays(to, -days), to } },
      area: null,
      estimatedBytes: DRY_RUN_BYTES,
    });
    return Answer.json(downloadAnswers.toCreated(task), { status: 202, headers: noStore });
  },
});
