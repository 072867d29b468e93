/** Subscriptions: made, listed, read, changed and deleted, and their events. */
import { isObject } from '../../json.ts';
import type { AddressPolicy } from '../../net/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import type { Delivery, Subscription, SubscriptionChanges, Subscriptions } from '../../watch/index.ts';
import type { AreaDeps } from '../areas.ts';
import { badInput, notFound } from '../errors.ts';
import { answerLongJson, listEach } from '../kit/answer-bodies.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { Params } from '../kit/fields.ts';
import { refuseField, toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { defineParameters, whole } from '../kit/parameters.ts';
import { RefusedStatistics } from '../statistics/statistics-answers.ts';
import { noStore } from '../tasks/task.ts';
import { readCallbackUrl } from '../tasks/task-orders.ts';
import { feedSchema, toWireEvent } from './event-wire.ts';
import {
  changeFields,
  deliveryFields,
  readContent,
  subscriptionFields,
  subscriptionSchema,
  toWireSubscription,
} from './subscription-fields.ts';

/** What subscriptions are stored and answered with. */
export interface SubscriptionDeps extends AreaDeps {
  readonly subscriptions: Subscriptions;
  /** Where callbacks may go; null if none are sent. */
  readonly callbackPolicy: AddressPolicy | null;
  /** Whether this address may be sent e-mail; null where there is none. */
  readonly mayMail: ((address: string) => boolean) | null;
  readonly tasks: Pick<Tasks, 'create'>;
  /** The wall clock. */
  readonly now: () => Date;
}

const example = {
  name: 'Sudden loss of green',
  group: 'north',
  sensors: ['sentinel2l2a'],
  expression: 'NDVI',
  condition: { kind: 'drop', by: 0.25, against: 'last' },
  callback_url: 'https://example.com/swath',
};

export const malformed = { description: 'The body is malformed; the message names the field.' };

/** `POST /api/subscriptions`. */
export const createSubscription = (deps: SubscriptionDeps): Endpoint => ({
  summary: 'Subscribe to what happens on fields',
  description:
    'Scenes that come in are measured on the fields, or on one area; values that meet the condition become events. They stay in a feed for 400 days, and can be sent as signed callbacks or by e-mail. Try it first: POST /api/subscriptions/dry-run.',
  tag: 'Subscriptions',
  body: { description: 'Ground, value, condition.', schema: toObjectSchema(subscriptionFields), example },
  answers: {
    201: {
      description: 'The subscription; Location is its address.',
      content: { 'application/json': subscriptionSchema },
    },
    400: malformed,
    402: { description: 'The key has reached its limit of subscriptions (too-many-subscriptions).' },
    404: { description: 'No such area.' },
    413: { description: 'The body is too large.' },
    422: { description: 'The area cannot be used; the message says why.' },
  },
  async handle(request) {
    const body = toBody(await request.readJson());
    const { owner } = request.ticket;
    const since = subscriptionFields.since.read(body);
    const subscription = await deps.subscriptions.create({
      owner,
      name: subscriptionFields.name.read(body),
      ...(await readWatched(body, request, deps)),
      delivery: readDelivery(body, deps),
      ...(since === null ? {} : { since }),
    });
    return answer(subscription, request, {
      status: 201,
      headers: { location: `${request.publicUrl}/api/subscriptions/${subscription.id}` },
    });
  },
});

export async function readWatched(body: Params, { ticket }: ApiRequest, deps: SubscriptionDeps) {
  try {
    return await readContent(body, { ticket, areas: deps.areas, areaParser: deps.areaParser });
  } catch (error) {
    if (error instanceof RefusedStatistics) throw badInput('bad-sensors', error.message);
    throw error;
  }
}

function readDelivery(body: Params, { callbackPolicy, mayMail }: SubscriptionDeps): Delivery {
  const mailTo = deliveryFields.email.read(body);
  if (mailTo !== null && mayMail === null)
    throw refuseField('email', 'cannot be used: this service sends no e-mail.');
  if (mailTo !== null && mayMail?.(mailTo) === false)
    throw refuseField('email', 'must be an address that the operator allows.');
  return { callbackUrl: readCallbackUrl(body, {}, callbackPolicy), mailTo };
}

export function toBody(value: unknown): Params {
  if (!isObject(value)) throw badInput('bad-body', 'The body must be an object.');
  return value;
}

interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const answer = (
  subscription: Subscription,
  { publicUrl }: ApiRequest,
  { status = 200, headers = {} }: AnswerOptions = {},
): Answer =>
  Answer.json(toWireSubscription(subscription, { publicUrl }), {
    status,
    headers: { ...noStore, ...headers },
  });

/** `GET /api/subscriptions`. */
export const listSubscriptions = ({ subscriptions }: SubscriptionDeps): Endpoint => ({
  summary: 'List subscriptions',
  description: 'The subscriptions of the key, in the order of their names.',
  tag: 'Subscriptions',
  answers: {
    200: {
      description: 'All of them.',
      content: { 'application/json': json.object({ subscriptions: json.list(subscriptionSchema) }) },
    },
  },
  async handle({ ticket: { owner }, publicUrl }) {
    const found = await subscriptions.list(owner);
    const written = listEach(found, (subscription) => {
      // An outline of ten thousand positions is not what a list is read for.
      const { ground } = subscription;
      if (ground.kind !== 'area') return toWireSubscription(subscription, { publicUrl });
      const shown = { ...subscription, ground: { kind: 'all-fields' as const } };
      return { ...toWireSubscription(shown, { publicUrl }), geometry: null };
    });
    return answerLongJson({ subscriptions: written }, { headers: noStore });
  },
});

const params = {
  subscription_id: {
    description: 'As returned when it was created.',
    schema: json.string({ pattern: /^[0-9a-f]{32}$/ }),
    example: '3eb51ea04776e6ae6bb665504e3c5ffb',
  },
} as const satisfies Endpoint['params'];

const unknown = (): Error => notFound('unknown-subscription', 'This key has no subscription with this id.');

const ownAnswers: Endpoint['answers'] = {
  200: { description: 'The subscription.', content: { 'application/json': subscriptionSchema } },
  404: { description: 'This key has no such subscription.' },
};

async function findOwn({ params: given, ticket }: ApiRequest, { subscriptions }: SubscriptionDeps) {
  const found = await subscriptions.find(given.subscription_id ?? '', ticket.owner);
  if (found === null) throw unknown();
  return found;
}

/** `GET /api/subscriptions/{subscription_id}`. */
export const readSubscription = (deps: SubscriptionDeps): Endpoint => ({
  summary: 'Read a subscription',
  description: 'With how far its events were sent.',
  tag: 'Subscriptions',
  params,
  answers: ownAnswers,
  async handle(request) {
    const subscription = await findOwn(request, deps);
    const sending = await deps.subscriptions.listSending(subscription.id);
    return Answer.json(toWireSubscription(subscription, { publicUrl: request.publicUrl, sending }), {
      headers: noStore,
    });
  },
});

/** `PATCH /api/subscriptions/{subscription_id}`. */
export const changeSubscription = (deps: SubscriptionDeps): Endpoint => ({
  summary: 'Rename, pause or redirect a subscription',
  description:
    'What it watches does not change: make another one. A receiver that is added gets the events from then on; the feed has all of them.',
  tag: 'Subscriptions',
  params,
  body: {
    description: 'What changes.',
    schema: toObjectSchema(changeFields),
    example: { paused: true },
  },
  answers: { ...ownAnswers, 400: malformed },
  async handle(request) {
    const body = toBody(await request.readJson());
    const fixed = Object.keys(subscriptionFields).find(
      (field) => Object.hasOwn(body, field) && !Object.hasOwn(changeFields, field),
    );
    if (fixed !== undefined)
      throw badInput('fixed-subscription', `${fixed} of a subscription cannot be changed: POST another one.`);
    const { delivery } = await findOwn(request, deps);
    const changed = await deps.subscriptions.change(
      request.params.subscription_id ?? '',
      request.ticket.owner,
      readChanges(body, delivery, deps),
    );
    if (changed === null) throw unknown();
    return answer(changed, request);
  },
});

function readChanges(body: Params, before: Delivery, deps: SubscriptionDeps): SubscriptionChanges {
  const has = (field: string): boolean => Object.hasOwn(body, field);
  const isPaused = changeFields.paused.read(body);
  const changes: { -readonly [Name in keyof SubscriptionChanges]: SubscriptionChanges[Name] } = {};
  if (has('name')) changes.name = changeFields.name.read(body);
  if (isPaused !== null) changes.isPaused = isPaused;
  if (has('callback_url') || has('email')) {
    const given = readDelivery(body, deps);
    changes.delivery = {
      callbackUrl: has('callback_url') ? given.callbackUrl : before.callbackUrl,
      mailTo: has('email') ? given.mailTo : before.mailTo,
    };
  }
  if (Object.keys(changes).length === 0)
    throw badInput('bad-body', `The body must have one of ${Object.keys(changeFields).join(', ')}.`);
  return changes;
}

/** `DELETE /api/subscriptions/{subscription_id}`. */
export const deleteSubscription = ({ subscriptions }: SubscriptionDeps): Endpoint => ({
  summary: 'Delete a subscription and its events',
  tag: 'Subscriptions',
  params,
  answers: {
    204: { description: 'It is deleted.' },
    404: { description: 'This key has no such subscription (any more).' },
  },
  async handle({ params: given, ticket }) {
    if (!(await subscriptions.remove(given.subscription_id ?? '', ticket.owner))) throw unknown();
    return new Answer(null, { status: 204, headers: noStore });
  },
});

const MAX_EVENTS = 1_000;

const feedParameters = defineParameters({
  after: whole({
    description: 'The `next` of the page before; 0 for the first page.',
    example: '0',
    min: 0,
    max: 1_000_000_000_000,
    fallback: 0,
  }),
  limit: whole({
    description: `Events of a page, 1 to ${MAX_EVENTS}; 100 by default.`,
    example: '100',
    min: 1,
    max: MAX_EVENTS,
    fallback: 100,
  }),
});

/** `GET /api/subscriptions/{subscription_id}/events`. */
export const listEvents = (deps: SubscriptionDeps): Endpoint => ({
  summary: 'The events of a subscription',
  description: 'Oldest first. Store `next`, and ask with it as `after` to get what is new.',
  tag: 'Subscriptions',
  params,
  query: feedParameters,
  answers: {
    200: { description: 'A page of the feed.', content: { 'application/json': feedSchema } },
    400: { description: 'The query is malformed.' },
    404: { description: 'This key has no such subscription.' },
  },
  async handle(request) {
    const { id } = await findOwn(request, deps);
    const after = feedParameters.after.read(request.query);
    const limit = feedParameters.limit.read(request.query);
    const events = await deps.subscriptions.listEvents(id, { after, limit });
    const next = events.at(-1)?.position ?? after;
    return answerLongJson({ events: listEach(events, toWireEvent), next }, { headers: noStore });
  },
});
