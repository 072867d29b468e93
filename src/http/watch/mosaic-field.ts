/** The mosaic of a subscription in a body: how it is read, documented and answered. */

import { isObject } from '../../json.ts';
import type { Condition, WatchedMosaic } from '../../watch/index.ts';
import { toLongestDays } from '../../watch/index.ts';
import { badInput } from '../errors.ts';
import type { Field } from '../kit/fields.ts';
import { number, refuseField } from '../kit/fields.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';
import { mosaicParameters, readComposition, toSelectionName } from '../mosaic/mosaic-request.ts';
import { toBodySchemas, toMosaicQuery } from '../tasks/mosaic-params.ts';

/** The ground of a subscription says where, and its period when. */
const { date: _date, within: _within, ...parameters } = mosaicParameters;

/** Longer periods are seasons: an event about one comes too late to be of use. */
const MAX_DAYS = 92;
const PERIOD = /^(?:week|month|([1-9]\d?) days)$/;

const graceDays = number({
  min: 0,
  max: 30,
  isWhole: true,
  fallback: 2,
  description: 'How many days after its end a week or a month is judged; 2 by default.',
});

export const mosaicSchema: JsonSchema = json.object({
  period: json.string({
    pattern: PERIOD,
    description:
      'week: Monday to Sunday. month: of the calendar. 10 days, up to 92: the last days, each time that a scene has come in. In UTC.',
  }),
  'grace_days?': graceDays.schema,
  ...toBodySchemas(parameters),
});

/** Scenes that are put together before they are measured. */
export const mosaicField: Field<WatchedMosaic | null> = {
  schema: json.nullable(mosaicSchema, {
    description: 'Measure a mosaic of the scenes of each period, instead of scene by scene.',
  }),
  parse(value, name) {
    if (value == null) return null;
    if (!isObject(value)) throw refuseField(name, 'must be an object with a period.');
    const known = ['period', 'grace_days', ...Object.keys(parameters)];
    const unknown = Object.keys(value).find((key) => !known.includes(key));
    if (unknown !== undefined)
      throw refuseField(name, `has no ${unknown.slice(0, 40)}; it may have ${known.join(', ')}.`);
    const { period, grace_days: grace, ...made } = value;
    const query = toMosaicQuery(made, name);
    const composition = readComposition(query);
    if (composition.selection.kind === 'nearest')
      throw badInput(
        'bad-selection',
        'A subscription has no selection=nearest: its periods have no one day.',
      );
    return {
      every: parseEvery(period),
      graceDays: graceDays.parse(grace, 'grace_days'),
      composition,
      isRanked: parameters.prefer.read(query) !== null,
      maxCloudPercent: parameters.max_cloud.read(query),
    };
  },
};

function parseEvery(value: unknown): WatchedMosaic['every'] {
  const [whole, days] = PERIOD.exec(typeof value === 'string' ? value : '') ?? [];
  if (whole === 'week' || whole === 'month') return { kind: whole };
  const count = Number(days ?? 0);
  if (count < 1 || count > MAX_DAYS)
    throw refuseField('period', `must be week, month, or 1 to ${MAX_DAYS} days, such as "10 days".`);
  return { kind: 'days', days: count };
}

/** Refuses a condition that no mosaic of a period could meet. */
export function checkCondition(condition: Condition, { every }: WatchedMosaic): void {
  if (condition.kind !== 'drop' && condition.kind !== 'rise') return;
  const { against } = condition;
  if (every.kind === 'days' || against.kind !== 'last') return;
  const least = toLongestDays(every);
  if (against.withinDays < least)
    throw refuseField('within_days', `must be at least ${least}: the ${every.kind} before ends so long ago.`);
}

/** Writes a mosaic. */
export function toWireMosaic({
  every,
  graceDays: grace,
  composition,
  isRanked,
  maxCloudPercent,
}: WatchedMosaic): object {
  const { selection, masked, dilateM, featherPx } = composition;
  const masks = Object.entries(masked).flatMap(([name, isMasked]) => (isMasked === true ? [name] : []));
  return {
    period: every.kind === 'days' ? `${every.days} days` : every.kind,
    ...(every.kind === 'days' ? {} : { grace_days: grace }),
    selection: toSelectionName(selection),
    ...('by' in selection ? { by: selection.by } : {}),
    ...('percent' in selection ? { percent: selection.percent } : {}),
    ...(isRanked ? { prefer: 'sensors' } : {}),
    ...(maxCloudPercent === null ? {} : { max_cloud: maxCloudPercent }),
    mask: masks.length === 0 ? 'none' : masks.join(),
    dilate: dilateM,
    feather: featherPx,
  };
}
