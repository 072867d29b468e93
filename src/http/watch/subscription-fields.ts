/** The body of a subscription, and how one is answered. */

import type { MultiPolygonGeometry } from '../../geo/index.ts';
import { toShownAddress } from '../../net/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import type {
  Condition,
  SendingState,
  Subscription,
  SubscriptionContent,
  WatchedGround,
  WatchedMosaic,
} from '../../watch/index.ts';
import { MAX_EXPRESSIONS, refuseExpression } from '../../zonal/index.ts';
import type { AreaDeps } from '../areas.ts';
import { findArea, geometrySchema } from '../areas.ts';
import { badInput } from '../errors.ts';
import { readGeometry } from '../kit/bodies.ts';
import type { Field, Params } from '../kit/fields.ts';
import {
  defineFields,
  flag,
  MAX_TEXT,
  MAX_TITLE,
  number,
  refuseField,
  text,
  texts,
  titleField,
  unread,
} from '../kit/fields.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';
import { parseDay } from '../kit/parameters.ts';
import { findSensors } from '../statistics/statistics-fields.ts';
import { conditionField, conditionSchema, toWireCondition } from './condition-field.ts';
import { checkCondition, mosaicField, mosaicSchema, toWireMosaic } from './mosaic-field.ts';

const MAX_FIELDS = 1_000;
const MAX_SENSORS = 8;
const FIELD_ID = /^[0-9a-f]{16}$/;

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
  group: text({ max: MAX_TITLE, description: 'The fields of a group; all fields of the key by default.' }),
  fields: texts({ max: MAX_FIELDS, description: 'Ids of fields.' }),
  geometry: unread(geometrySchema, { description: 'One area instead of fields.' }),
  cropper_ref: text({ description: 'The reference of a stored area, instead of fields.' }),
  sensors: texts({ max: MAX_SENSORS, description: 'Dataset ids or abbreviations; sentinel2l2a by default.' }),
  expression: text({
    description: 'An index, a band or band math with one value a pixel; its mean counts.',
  }),
  expressions: {
    schema: json.nullable(json.list(json.string({ max: MAX_TEXT }), { min: 1, max: MAX_EXPRESSIONS }), {
      description: 'Several of them instead of one; the condition applies to each.',
    }),
    parse(value, field): readonly string[] | null {
      if (value == null) return null;
      const isList =
        Array.isArray(value) &&
        value.length > 0 &&
        value.length <= MAX_EXPRESSIONS &&
        value.every((item) => typeof item === 'string' && item.length <= MAX_TEXT);
      if (!isList) throw refuseField(field, `must be a list of 1 to ${MAX_EXPRESSIONS} texts.`);
      return value;
    },
  },
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
    description: 'Percent of a field that a scene, or the mosaic, must show; 80 by default.',
  }),
  mosaic: mosaicField,
  condition: conditionField,
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
  name: titleField,
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
  name: { ...titleField, isRequired: false },
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
  const expressions = readExpressions(body);
  for (const expression of expressions) {
    for (const sensor of sensors) {
      const refusal = refuseExpression(expression, sensor);
      if (refusal !== null) throw badInput('bad-expression', `expression: ${refusal}`);
    }
  }
  const condition = contentFields.condition.read(body);
  const mosaic = contentFields.mosaic.read(body);
  if (mosaic !== null) checkMosaic(mosaic, { body, condition, sensors });
  return {
    ground: await readGround(body, { ticket, areas, areaParser }),
    value: {
      datasets: sensors.map(({ dataset }) => dataset),
      expressions,
      maxCloudPercent: contentFields.max_cloud.read(body),
      minDataPercent: contentFields.min_data.read(body),
      ...(mosaic === null ? {} : { mosaic }),
    },
    condition,
  };
}

/** Refuses what does not go with a mosaic. */
function checkMosaic(
  mosaic: WatchedMosaic,
  {
    body,
    condition,
    sensors,
  }: { readonly body: Params; readonly condition: Condition; readonly sensors: readonly Sensor[] },
): void {
  // Clouds of a field are left out pixel by pixel: a limit would mean another thing.
  if ((body.max_cloud ?? null) !== null)
    throw refuseField('max_cloud', 'is for single scenes: with a mosaic it belongs into mosaic.');
  checkCondition(condition, mosaic);
  const { selection } = mosaic.composition;
  if (!('by' in selection)) return;
  for (const sensor of sensors) {
    const refusal = refuseExpression(selection.by, sensor);
    if (refusal !== null) throw badInput('bad-expression', `by: ${refusal}`);
  }
}

/** The one expression, or several: each once. */
function readExpressions(body: Params): readonly string[] {
  const one = contentFields.expression.read(body);
  const several = contentFields.expressions.read(body);
  if (one !== null && several !== null)
    throw badInput('bad-expression', 'The body may have expression or expressions, not both.');
  const given = [...new Set(several ?? (one === null ? [] : [one]))];
  if (given.length === 0 || given.some((expression) => expression.trim() === ''))
    throw refuseField('expression', 'is required, and must be a text; or pass a list as expressions.');
  return given;
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
      'expression?': json.string({ description: 'The expression, if there is only one.' }),
      expressions: json.list(json.string()),
      'max_cloud?': json.number({ description: 'Of scenes one by one.' }),
      min_data: json.number(),
      'mosaic?': mosaicSchema,
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
  ...(subscription.value.expressions.length === 1 ? { expression: subscription.value.expressions[0] } : {}),
  expressions: subscription.value.expressions,
  ...(subscription.value.mosaic === undefined ? { max_cloud: subscription.value.maxCloudPercent } : {}),
  min_data: subscription.value.minDataPercent,
  ...(subscription.value.mosaic === undefined ? {} : { mosaic: toWireMosaic(subscription.value.mosaic) }),
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
