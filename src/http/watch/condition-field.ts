/** The condition of a subscription in a body: how it is read, documented and answered. */

import { isObject } from '../../json.ts';
import type { Condition, Reference } from '../../watch/index.ts';
import type { Field, Params } from '../kit/fields.ts';
import { choice, defineFields, flag, number, refuseField } from '../kit/fields.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';

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

export const conditionSchema: JsonSchema = json.object(
  Object.fromEntries(Object.entries(conditionFields).map(([name, { schema }]) => [`${name}?`, schema])),
);

/** When a subscription tells. */
export const conditionField: Field<Condition> = {
  schema: json.nullable(conditionSchema, {
    description: 'Which values become events; every clear value by default.',
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
    if (limit === null) throw refuseField('limit', `is required with kind ${kind}.`);
    return { kind, limit, repeats: conditionFields.repeats.read(params) };
  }
  const by = conditionFields.by.read(params);
  if (by === null || by <= 0) throw refuseField('by', `is required with kind ${kind} and must be above 0.`);
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

/** Writes a condition. */
export function toWireCondition(given: Condition): object {
  if (given.kind !== 'drop' && given.kind !== 'rise') return given;
  const { kind, by, against } = given;
  if (against.kind === 'last') return { kind, by, against: 'last', within_days: against.withinDays };
  if (against.kind === 'group') return { kind, by, against: 'group' };
  return { kind, by, against: 'normal', years: against.years, around_days: against.aroundDays };
}
