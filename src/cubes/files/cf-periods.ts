import type { ArrayFile, ArrayVariable } from '../../formats/array-file.ts';
import { readAxis } from './cf-axes.ts';
import { textOf } from './cf-numbers.ts';
import { isTimeUnits, makeToMs } from './cf-time.ts';
import type { TimeMethod } from './grid-file.ts';

const METHODS: ReadonlyMap<string, TimeMethod> = new Map([
  ['point', 'instant'],
  ['sum', 'sum'],
  ['mean', 'mean'],
  ['minimum', 'min'],
  ['maximum', 'max'],
]);

/** The method over time of the attribute `cell_methods`, such as "area: mean time: sum" (CF conventions, 7.3); null without. */
export function parseTimeMethod(cellMethods: string): TimeMethod | null {
  // Several may follow each other: "time: maximum within days time: mean over days"; the first is nearest to the data.
  const word = /(?:^|\s)(?:time|t|valid_time):\s*(?:\w+:\s*)*(\w+)/.exec(cellMethods)?.[1];
  return METHODS.get(word ?? '') ?? null;
}

/** When the periods of an axis of time begin and end. */
export interface TimePeriods {
  readonly startsMs: readonly number[];
  readonly endsMs: readonly number[];
}

/** Periods of the variable that the attribute `bounds` of the axis names (CF conventions, 7.1); null without. */
export async function readTimePeriods(file: ArrayFile, axis: ArrayVariable): Promise<TimePeriods | null> {
  const name = textOf(axis.attributes, 'bounds');
  const bounds = name === '' ? undefined : file.variables.find((one) => one.name === name);
  const [count = 1] = axis.sizes;
  if (bounds === undefined || bounds.sizes.at(-1) !== 2 || bounds.sizes.at(-2) !== count) return null;
  // They have the units of their axis; where they repeat them, those are theirs.
  const of = (attribute: string): string =>
    textOf(bounds.attributes, attribute) || textOf(axis.attributes, attribute);
  const toMs = makeToMs(of('units'), of('calendar'));
  const all = Array.from(
    await file.read(bounds, { start: bounds.sizes.map(() => 0), count: bounds.sizes }),
    toMs,
  );
  const startsMs = all.filter((_, i) => i % 2 === 0);
  const endsMs = all.filter((_, i) => i % 2 === 1);
  return startsMs.every((ms, i) => ms < endsMs[i]!) ? { startsMs, endsMs } : null;
}

/** What cfgrib writes about the time of a run, which has the standard name of any time. */
const INITIAL_TIME = 'initial time of forecast';

/** Whether a single number is the time of a run and not that of the fields. */
export const isRunTime = ({ name, attributes }: ArrayVariable): boolean =>
  textOf(attributes, 'standard_name') === 'forecast_reference_time' ||
  name.split('/').at(-1) === 'forecast_reference_time' ||
  textOf(attributes, 'long_name') === INITIAL_TIME;

/** When the model run of a file began, where one number says it; null without. */
export async function readRunMs(file: ArrayFile): Promise<number | null> {
  const found = file.variables.find((one) => one.sizes.every((size) => size === 1) && isRunTime(one));
  const units = found === undefined ? '' : textOf(found.attributes, 'units');
  if (found === undefined || !isTimeUnits(units)) return null;
  return makeToMs(units, textOf(found.attributes, 'calendar'))((await readAxis(file, found))[0]!);
}
