import { damaged, getSigned8, getSigned32, toView, unread } from './grib-bytes.ts';
import type { GribField, GribLevel, GribMethod } from './grib-field.ts';
import { toMoment, toUnitMs } from './grib-field.ts';

/** What section 4 says about a field. */
interface Grib2Product {
  readonly category: number;
  readonly number: number;
  readonly level: GribLevel;
  readonly time: Pick<GribField, 'runMs' | 'startMs' | 'endMs' | 'method' | 'periodMs'>;
}

interface Template {
  /** Where the statistics over a period begin; null for a moment. */
  readonly periodAt: number | null;
  readonly ensemble: 'member' | 'derived' | null;
}

/** Product definition templates by number (code table 4.0). */
const TEMPLATES: ReadonlyMap<number, Template> = new Map([
  [0, { periodAt: null, ensemble: null }],
  [1, { periodAt: null, ensemble: 'member' }],
  [2, { periodAt: null, ensemble: 'derived' }],
  [8, { periodAt: 34, ensemble: null }],
  [11, { periodAt: 37, ensemble: 'member' }],
  [12, { periodAt: 36, ensemble: 'derived' }],
]);

const COMMON_BYTES = 34;
/** End of the period, number of ranges, missing values, and the first range. */
const PERIOD_BYTES = 24;
const MISSING = 0xffffffff;

/** Statistics of code table 4.10. */
const METHODS: ReadonlyMap<number, GribMethod> = new Map([
  [0, 'mean'],
  [1, 'sum'],
  [2, 'max'],
  [3, 'min'],
]);

/** The product of section 4, with the reference time of section 1. */
export function toGrib2Product(section: Uint8Array, identification: DataView): Grib2Product {
  const view = toView(section);
  const number = view.getUint16(7);
  const template = TEMPLATES.get(number);
  if (template === undefined)
    throw unread(
      'product',
      `Fields of the GRIB file have product template 4.${number}; templates 4.0, 4.1, 4.2, 4.8, 4.11 and 4.12 are read.`,
    );
  if (section.length < (template.periodAt ?? COMMON_BYTES) + (template.periodAt === null ? 0 : PERIOD_BYTES))
    throw damaged('the header of a product is too short');
  checkEnsemble(view, template);
  return {
    category: view.getUint8(9),
    number: view.getUint8(10),
    level: toLevel(view),
    time: toTime(view, template, toMomentAt(identification, 12)),
  };
}

/** Accepts the control run and the mean of an ensemble: each is one value for the forecast. */
function checkEnsemble(view: DataView, { ensemble }: Template): void {
  if (ensemble === null) return;
  if (view.byteLength < COMMON_BYTES + 2) throw damaged('the header of an ensemble is too short');
  const kind = view.getUint8(34);
  // Code tables 4.6 (0 and 1 are control runs) and 4.7 (0 and 1 are means).
  if (kind > 1)
    throw unread(
      'ensemble',
      ensemble === 'member'
        ? 'The GRIB file has members of an ensemble; use the control run, or make the mean of its members first, for example with cdo ensmean.'
        : 'The GRIB file has a spread or another measure of an ensemble; use its mean.',
    );
}

function toLevel(view: DataView): GribLevel {
  const toValue = (at: number): number | null => {
    const [scale, scaled] = [view.getUint8(at), view.getUint32(at + 1)];
    if (scale === 0xff || scaled === MISSING) return null;
    const digits = getSigned8(view, at);
    const number = getSigned32(view, at + 1);
    return digits >= 0 ? number / 10 ** digits : number * 10 ** -digits;
  };
  const [type, toType] = [view.getUint8(22), view.getUint8(28)];
  return { type, value: toValue(23), to: toType === type ? toValue(29) : null };
}

function toTime(view: DataView, { periodAt }: Template, runMs: number): Grib2Product['time'] {
  const steps = getSigned32(view, 18);
  const forecastMs = runMs + (steps === 0 ? 0 : steps * toUnitMs(view.getUint8(17), 2));
  if (periodAt === null)
    return { runMs, startMs: null, endMs: forecastMs, method: 'instant', periodMs: null };
  if (view.getUint8(periodAt + 7) !== 1)
    throw unread(
      'time-ranges',
      'The GRIB file has statistics of statistics over time; only simple ones are read.',
    );
  const process = view.getUint8(periodAt + 12);
  const method = METHODS.get(process);
  if (method === undefined)
    throw unread(
      'statistic',
      `The GRIB file has statistic ${process} of code table 4.10; means, sums, minima and maxima are read.`,
    );
  const endMs = toMomentAt(view, periodAt);
  if (endMs < forecastMs) throw damaged('a period ends before it begins');
  return { runMs, startMs: forecastMs, endMs, method, periodMs: null };
}

const toMomentAt = (view: DataView, at: number): number =>
  toMoment(view.getUint16(at), view.getUint8(at + 2), view.getUint8(at + 3), [
    view.getUint8(at + 4),
    view.getUint8(at + 5),
    view.getUint8(at + 6),
  ]);
