/** The body of a subscription, and how one is answered with its events. */

import type { MultiPolygonGeometry } from '../../geo/index.ts';
import { isObject } from '../../json.ts';
import { toShownAddress } from '../../net/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type {
  Condition,
  DryRun,
  FeedEvent,
  Reference,
  SendingState,
  Subscription,
  SubscriptionContent,
  WatchEvent,
  WatchedGround,
} from '../../watch/index.ts';
import { refuseExpression } from '../../zonal/index.ts';
import type { AreaDeps } from '../areas.ts';
import { findArea, geometrySchema, readGeometry } from '../areas.ts';
import { badInput } from '../errors.ts';
import type { Field, Params } from '../kit/fields.ts';
import {
  choice,
  defineFields,
  flag,
  number,
  refuseField,
  requiredText,
  text,
  texts,
  unread,
} from '../kit/fields.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';
import { parseDay } from '../kit/parameters.ts';
import { findSensors } from '../statistics/statistics-fields.ts';

const MAX_NAME = 200;
const MAX_FIELDS = 1_000;
const MAX_SENSORS = 8;
const FIELD_ID = /^[0-9a-f]{16}$/;

/** What a condition is made of. */
const conditionFields = defineFields({
  kind: choice({
    names: ['every', 'below', 'above', 'drop', 'rise'],
    fallback: 'every' as const,
    description:
      'every: each clear value. below, above: the value passes `limit`. drop, rise: it differs from `against` by at least `by`.',
  }),
  limit: number({ fallback: null, description: 'Of below and above.' }),
  repeats: flag({
    fallback: false,
    description: 'Tell each time, and not only when the limit is first passed.',
  }),
  by: number({ fallback: null, description: 'Of drop and rise, in units of the expression; above 0.' }),
  against: choice({
    names: ['last', 'normal', 'group'],
    fallback: 'last' as const,
    description:
      'The last clear value of the field; the median of its own values of earlier years around that day; or the median of all fields of the subscription in the same scene.',
  }),
  within_days: number({
    min: 1,
    max: 366,
    isWhole: true,
    fallback: 60,
    description: 'How old the last value may be; 60 by default.',
  }),
  years: number({
    min: 1,
    max: 10,
    isWhole: true,
    fallback: 3,
    description: 'Earlier years that make a normal; 3 by default.',
  }),
  around_days: number({
    min: 1,
    max: 45,
    isWhole: true,
    fallback: 15,
    description: 'Days before and after the same day of the year; 15 by default.',
  }),
});

const conditionSchema = json.object(
  Object.fromEntries(Object.entries(conditionFields).map(([name, { schema }]) => [`${name}?`, schema])),
);

const condition: Field<Condition> = {
  schema: json.nullable(conditionSchema, {
    description: 'When you are told; of every clear value by default.',
  }),
  parse(value, name) {
    if (value == null) return { kind: 'every' };
    if (!isObject(value)) throw refuseField(name, 'must be an object with a kind.');
    const unknown = Object.keys(value).find((key) => !Object.hasOwn(conditionFields, key));
    if (unknown !== undefined)
      throw refuseField(
        name,
        `has no ${unknown.slice(0, 40)}; it may have ${Object.keys(conditionFields).join(', ')}.`,
      );
    return readCondition(value);
  },
};

function readCondition(params: Params): Condition {
  const kind = conditionFields.kind.read(params);
  if (kind === 'every') return { kind };
  if (kind === 'below' || kind === 'above') {
    const limit = conditionFields.limit.read(params);
    if (limit === null) throw refuseField('limit', `is required by ${kind}.`);
    return { kind, limit, repeats: conditionFields.repeats.read(params) };
  }
  const by = conditionFields.by.read(params);
  if (by === null || by <= 0) throw refuseField('by', `is required by ${kind}, and must be above 0.`);
  return { kind, by, against: readReference(params) };
}

function readReference(params: Params): Reference {
  const kind = conditionFields.against.read(params);
  if (kind === 'group') return { kind };
  if (kind === 'last') return { kind, withinDays: conditionFields.within_days.read(params) };
  return {
    kind,
    years: conditionFields.years.read(params),
    aroundDays: conditionFields.around_days.read(params),
  };
}

const name: Field<string> = {
  isRequired: true,
  schema: json.string({ max: MAX_NAME, pattern: /\S/, description: 'What people call it.' }),
  parse(value, field) {
    if (typeof value === 'string' && value.length <= MAX_NAME && /^(?=.*\S)[^\p{Cc}\p{Cs}]+$/u.test(value))
      return value.trim();
    throw refuseField(field, `must be a text of 1 to ${MAX_NAME} characters, without line breaks.`);
  },
};

const MAIL = /^[^\s@<>"',;:()[\]\\]{1,64}@[A-Za-z0-9.-]{1,190}$/;

const email: Field<string | null> = {
  schema: json.nullable(json.string({ max: 254 }), {
    description: 'Also told by e-mail, if the operator has set it up for this address.',
  }),
  parse(value, field) {
    if (value == null || value === '') return null;
    if (typeof value === 'string' && MAIL.test(value)) return value;
    throw refuseField(field, 'must be one address of e-mail.');
  },
};

/** What a subscription watches, and when it tells. */
const contentFields = defineFields({
  group: text({ max: MAX_NAME, description: 'The fields of a group; all fields of the key by default.' }),
  fields: texts({ max: MAX_FIELDS, description: 'Ids of fields.' }),
  geometry: unread(geometrySchema, { description: 'One area instead of fields.' }),
  cropper_ref: text({ description: 'The reference of a stored area, instead of fields.' }),
  sensors: texts({ max: MAX_SENSORS, description: 'Dataset ids or abbreviations; sentinel2l2a by default.' }),
  expression: requiredText({
    description: 'An index, a band or band math with one value a pixel; its mean counts.',
  }),
  max_cloud: number({
    min: 0,
    max: 100,
    fallback: 20,
    description: 'Percent of clouds in a field above which a scene says nothing about it; 20 by default.',
  }),
  min_data: number({
    min: 1,
    max: 100,
    fallback: 80,
    description: 'Percent of a field that a scene must show; 80 by default.',
  }),
  condition,
});

/** How events arrive; they are always in the feed. */
export const deliveryFields = defineFields({
  callback_url: text({
    description: 'A public http or https address that receives signed POSTs with new events.',
  }),
  email,
});

/** The body of a subscription. */
export const subscriptionFields = defineFields({
  name,
  ...contentFields,
  ...deliveryFields,
  since: {
    schema: json.nullable(json.string(), {
      description: 'The first day of scenes that make events; today by default.',
    }),
    parse(value, field): string | null {
      if (value == null || value === '') return null;
      const day = parseDay(value);
      if (day === null) throw refuseField(field, 'must be a date such as 2026-06-21.');
      return day;
    },
  },
});

/** What can be changed later. */
export const changeFields = defineFields({
  name: { ...name, isRequired: false },
  ...deliveryFields,
  paused: flag({
    fallback: null,
    description: 'Nothing is checked while it is true; then what was missed is.',
  }),
});

/** Reads what a subscription watches. */
export async function readContent(
  body: Params,
  { ticket, areas, areaParser }: AreaDeps & { readonly ticket: Ticket },
): Promise<SubscriptionContent> {
  const wanted = contentFields.sensors.read(body) ?? ['sentinel2l2a'];
  const sensors = findSensors(wanted);
  const expression = contentFields.expression.read(body);
  for (const sensor of sensors) {
    const refusal = refuseExpression(expression, sensor);
    if (refusal !== null) throw badInput('bad-expression', `expression: ${refusal}`);
  }
  return {
    ground: await readGround(body, { ticket, areas, areaParser }),
    value: {
      datasets: sensors.map(({ dataset }) => dataset),
      expression,
      maxCloudPercent: contentFields.max_cloud.read(body),
      minDataPercent: contentFields.min_data.read(body),
    },
    condition: contentFields.condition.read(body),
  };
}

async function readGround(
  body: Params,
  { ticket, areas, areaParser }: AreaDeps & { readonly ticket: Ticket },
): Promise<WatchedGround> {
  const group = contentFields.group.read(body);
  const ids = contentFields.fields.read(body);
  const ref = contentFields.cropper_ref.read(body);
  const given = [group, ids, ref, body.geometry ?? null].filter((value) => value !== null);
  if (given.length > 1)
    throw badInput('bad-area', 'The body may have one of group, fields, geometry and cropper_ref.');
  if (group !== null) return { kind: 'group', group };
  if (ids !== null) {
    if (ids.length === 0 || !ids.every((id) => FIELD_ID.test(id)))
      throw refuseField('fields', 'must be a list of ids of fields, of 16 hexadecimal digits each.');
    return { kind: 'fields', ids };
  }
  if (given.length === 0) return { kind: 'all-fields' };
  const { geometry } =
    ref === null
      ? await readGeometry('geometry', body.geometry, { areaParser, ticket })
      : await areaParser.measure((await findArea(ref, areas)).geometry, ticket);
  return { kind: 'area', area: JSON.parse(geometry) as MultiPolygonGeometry };
}

const eventSchema = json.named(
  'WatchEvent',
  json.object({
    id: json.string({ description: 'The same event always has the same id.' }),
    position: json.integer({ description: 'Its place in the feed; rises.' }),
    made_at: json.string(),
    field_id: json.nullable(json.string(), { description: 'Null for an area.' }),
    field_name: json.nullable(json.string()),
    external_id: json.nullable(json.string(), { description: 'Your own id of the field.' }),
    date: json.string({ description: 'When the scene was taken.' }),
    view_id: json.string(),
    scene_id: json.string(),
    sensor: json.string(),
    value: json.number({ description: 'The mean over the clear pixels of the field.' }),
    compared: json.nullable(json.number(), {
      description: 'What it was compared with; null for every value.',
    }),
  }),
);

/** A page of a feed. */
export const feedSchema: JsonSchema = json.object({
  events: json.list(eventSchema),
  next: json.integer({
    description: 'The `after` of the next page; pass it again later to get what is new.',
  }),
});

/** The id of a subscription that has one area and no fields. */
const isArea = (fieldId: string): boolean => /^0+$/.test(fieldId);

/** Writes an event. */
export const toWireEvent = (event: WatchEvent & Partial<Pick<FeedEvent, 'position' | 'madeAt'>>): object => ({
  id: event.id,
  position: event.position,
  made_at: event.madeAt,
  field_id: isArea(event.fieldId) ? null : event.fieldId,
  field_name: event.fieldName,
  external_id: event.externalId,
  date: event.acquiredAt,
  view_id: event.viewId,
  scene_id: event.sceneId,
  sensor: event.dataset,
  value: event.value,
  compared: event.compared,
});

/** The message that a receiver gets. */
export const toEventMessage = ({ id, name: title }: Subscription, events: readonly FeedEvent[]): object => ({
  subscription: { id, name: title },
  events: events.map(toWireEvent),
  next: events.at(-1)?.position ?? 0,
});

/** The file of a dry run. */
export const toDryRunReport = ({ days, scenes, failed, events, isCut }: DryRun): object => ({
  from: days.from,
  to: days.to,
  scenes,
  scenes_failed: failed,
  events: events.map(toWireEvent),
  more_events: isCut,
});

/** A subscription as it is answered. */
export const subscriptionSchema: JsonSchema = json.named(
  'Subscription',
  json.object(
    {
      id: json.string({ pattern: /^[0-9a-f]{32}$/ }),
      name: json.string(),
      paused: json.boolean(),
      since: json.string(),
      created_at: json.string(),
      checked_at: json.nullable(json.string(), { description: 'Until when scenes were looked for.' }),
      sensors: json.list(json.string()),
      expression: json.string(),
      max_cloud: json.number(),
      min_data: json.number(),
      condition: conditionSchema,
      callback_url: json.nullable(json.string(), {
        description: 'Without its query, which may hold a secret.',
      }),
      email: json.nullable(json.string()),
      feed: json.string({ description: 'The address of its events.' }),
    },
    { isOpen: true },
  ),
);

function toWireGround(ground: WatchedGround): object {
  if (ground.kind === 'group') return { group: ground.group };
  if (ground.kind === 'fields') return { fields: ground.ids };
  return ground.kind === 'area' ? { geometry: ground.area } : {};
}

function toWireCondition(given: Condition): object {
  if (given.kind !== 'drop' && given.kind !== 'rise') return given;
  const { kind, by, against } = given;
  if (against.kind === 'last') return { kind, by, against: 'last', within_days: against.withinDays };
  if (against.kind === 'group') return { kind, by, against: 'group' };
  return { kind, by, against: 'normal', years: against.years, around_days: against.aroundDays };
}

/** Writes a subscription; with how far its events were sent, if that is known. */
export const toWireSubscription = (
  subscription: Subscription,
  { publicUrl, sending }: { readonly publicUrl: string; readonly sending?: readonly SendingState[] },
): object => ({
  id: subscription.id,
  name: subscription.name,
  paused: subscription.isPaused,
  since: subscription.since,
  created_at: subscription.createdAt,
  checked_at: subscription.checkedAt,
  ...toWireGround(subscription.ground),
  sensors: subscription.value.datasets,
  expression: subscription.value.expression,
  max_cloud: subscription.value.maxCloudPercent,
  min_data: subscription.value.minDataPercent,
  condition: toWireCondition(subscription.condition),
  callback_url:
    subscription.delivery.callbackUrl === null ? null : toShownAddress(subscription.delivery.callbackUrl),
  email: subscription.delivery.mailTo,
  feed: `${publicUrl}/api/subscriptions/${subscription.id}/events`,
  ...(sending === undefined
    ? {}
    : {
        sending: sending.map(({ channel, position, attempts, nextAttemptAt, lastError }) => ({
          channel: channel === 'mail' ? 'email' : 'callback',
          arrived: position,
          failed_attempts: attempts,
          next_attempt_at: nextAttemptAt,
          last_error: lastError === 'address-not-allowed' ? 'unreachable' : lastError,
        })),
      }),
});
