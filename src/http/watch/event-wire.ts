/** Events as they are answered, sent and written into the file of a dry run. */

import type { DryRun, FeedEvent, Subscription, WatchEvent } from '../../watch/index.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';

const eventSchema = json.named(
  'WatchEvent',
  json.object({
    id: json.string({ description: 'The same event always has the same id.' }),
    position: json.integer({ description: 'Its place in the feed; rises.' }),
    made_at: json.string(),
    field_id: json.nullable(json.string(), { description: 'Null for an area.' }),
    field_name: json.nullable(json.string()),
    external_id: json.nullable(json.string(), { description: 'Your own id of the field.' }),
    date: json.string({
      description: 'When the scene was taken; with a mosaic the newest of its scenes in the field.',
    }),
    view_id: json.string(),
    scene_id: json.string(),
    sensor: json.string(),
    expression: json.string({ description: 'The expression that the value is of.' }),
    value: json.number({ description: 'The mean over the clear pixels of the field.' }),
    compared: json.nullable(json.number(), {
      description: 'What it was compared with; null for every value.',
    }),
    'period?': json.string({
      description: 'Of a mosaic: its days, as addresses of mosaics have them.',
    }),
    'view_ids?': json.list(json.string(), {
      description: 'Of a mosaic: the scenes that the value is made of.',
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
  expression: event.expression,
  value: event.value,
  compared: event.compared,
  ...(event.mosaic === undefined ? {} : { period: event.mosaic.period, view_ids: event.mosaic.viewIds }),
});

/** The message that a receiver gets. */
export const toEventMessage = ({ id, name }: Subscription, events: readonly FeedEvent[]): object => ({
  subscription: { id, name },
  events: events.map(toWireEvent),
  next: events.at(-1)?.position ?? 0,
});

/** The file of a dry run. */
export const toDryRunReport = ({ days, scenes, failed, events, isCut, isOfMosaics }: DryRun): object => ({
  from: days.from,
  to: days.to,
  ...(isOfMosaics ? { periods: scenes, periods_failed: failed } : { scenes, scenes_failed: failed }),
  events: events.map(toWireEvent),
  more_events: isCut,
});
