import type { MultiPolygonGeometry } from '../geo/index.ts';
import { DAY_MS, HOUR_MS } from '../units.ts';

/** Variables of a day of weather that a table may have. */
export type JoinedVariable =
  | 'temperatureMin'
  | 'temperatureMax'
  | 'vapourPressure'
  | 'windSpeed'
  | 'rainfall'
  | 'snowDepth'
  | 'hardeningIndex'
  | 'criticalTemperature'
  | 'humidity'
  | 'cloudCover'
  | 'referenceEvapotranspiration'
  | 'waterBalance';

/** A value that every day of a place has. */
export type DailySource =
  | { readonly kind: 'weather'; readonly variable: JoinedVariable }
  /** Growing degree days of the day above a base temperature, °C. */
  | { readonly kind: 'growing-degrees'; readonly baseTemperature: number }
  | { readonly kind: 'soil-moisture'; readonly layer: 'surface' | 'rootZone' };

/** Where sums of growing degrees begin: the sowing of the field, 1 January of the row's year, or a day as 2026-05-02. */
export type DegreesSince = 'sowing' | 'year' | (string & {});

/** A column of a table that does not come from pixels. */
export interface JoinedColumn {
  readonly name: string;
  readonly source: DailySource;
  readonly over:
    | { readonly kind: 'day' }
    /** Over the days after the one of the field's row before, up to the own day. */
    | { readonly kind: 'since-last'; readonly fold: 'sum' | 'mean' }
    | { readonly kind: 'since'; readonly start: DegreesSince };
}

/** Days of many places to be read. */
export interface DailyRequest {
  readonly shapes: readonly {
    readonly geometry: MultiPolygonGeometry;
    /** The first day, as 2026-05-02. */
    readonly from: string;
  }[];
  /** The last day, included. */
  readonly to: string;
  readonly sources: readonly DailySource[];
}

/** The days of one place. */
export interface ShapeDays {
  /** Hours that the midnights of its days of weather are ahead of UTC. */
  readonly utcOffsetHours: number;
  /** Source after source, each with all days from the first one; NaN where nothing is known. */
  readonly values: Float64Array<ArrayBuffer>;
}

/** Reads the days of places. Throws while a source that may know them does not answer. */
export type ReadDaily = (request: DailyRequest, signal: AbortSignal) => Promise<readonly ShapeDays[]>;

/** A day as 2026-05-02 in days since 1970. */
export const toDayNumber = (text: string): number => Math.floor(Date.parse(text) / DAY_MS);

/** Days since 1970 as 2026-05-02. */
export const toDayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The day of a time on a clock. */
export const toLocalDay = (timeMs: number, utcOffsetHours: number): number =>
  Math.floor((timeMs + utcOffsetHours * HOUR_MS) / DAY_MS);

/** Days of soil moisture are those of UTC; all others begin at the midnight of the place. */
export const isOfUtc = ({ source }: JoinedColumn): boolean => source.kind === 'soil-moisture';

/** The digits of answers about weather: a table has the numbers that a request for one field has. */
const DIGITS = 4;
export const SCALE = 10 ** DIGITS;
export const roundWeather = (value: number): number => Number(value.toFixed(DIGITS));

/** What the days of a shape are reduced with. */
export interface DaySpans {
  readonly columns: readonly JoinedColumn[];
  readonly sources: readonly DailySource[];
  /** The days of which the table may have rows, in their order, since 1970. */
  readonly days: readonly number[];
  /** The first day of the order. */
  readonly startDay: number;
  /** The first day that was read. */
  readonly firstDay: number;
  /** When the shape was sown; null if that is not known. */
  readonly sownOn: string | null;
}

/** The place of a column's source among the sources. */
const toSourceAt = (sources: readonly DailySource[], { source }: JoinedColumn): number =>
  sources.findIndex((one) => JSON.stringify(one) === JSON.stringify(source));

/**
 * The values of a shape's columns on the days that rows may have: day by day, and for each the columns. Columns since the
 * last row have the sum since the day before in the list, in whole ten-thousandths: these add up exactly, whichever rows
 * the shape has. A sum with an unknown day is unknown.
 */
export function reduceDays(
  { values }: Pick<ShapeDays, 'values'>,
  spans: DaySpans,
): Float64Array<ArrayBuffer> {
  const { columns, sources, days, startDay, firstDay, sownOn } = spans;
  const stepCount = values.length / sources.length;
  const reduced = new Float64Array(days.length * columns.length).fill(Number.NaN);
  for (const [c, column] of columns.entries()) {
    const { source, over } = column;
    const at = toSourceAt(sources, column) * stepCount - firstDay;
    const isRounded = source.kind !== 'soil-moisture';
    const dayValue = (day: number): number => {
      const isRead = day >= firstDay && day < firstDay + stepCount;
      return isRead ? (values[at + day] as number) : Number.NaN;
    };
    const put = (i: number, value: number): void => {
      reduced[i * columns.length + c] = value;
    };
    if (over.kind === 'day') {
      for (const [i, day] of days.entries()) {
        const value = dayValue(day);
        put(i, isRounded ? roundWeather(value) : value);
      }
    } else if (over.kind === 'since-last') {
      let next = Math.min(startDay, days[0] ?? startDay);
      for (const [i, day] of days.entries()) {
        let sum = 0;
        for (; next <= day; next += 1) sum += Math.round(roundWeather(dayValue(next)) * SCALE);
        put(i, sum);
      }
    } else {
      // Days of two years have two beginnings; each sum is added up as that of one request.
      let [start, next, sum] = [Number.NaN, 0, 0];
      for (const [i, day] of days.entries()) {
        const own = toStart(over.start, day, sownOn);
        if (own === null || own > day) continue;
        if (own !== start) [start, next, sum] = [own, own, 0];
        for (; next <= day; next += 1) sum += dayValue(next);
        put(i, roundWeather(sum));
      }
    }
  }
  return reduced;
}

/** The first day of a sum; null if it has none. */
function toStart(since: DegreesSince, day: number, sownOn: string | null): number | null {
  if (since === 'year') return Date.UTC(new Date(day * DAY_MS).getUTCFullYear(), 0, 1) / DAY_MS;
  const text = since === 'sowing' ? sownOn : since;
  return text === null ? null : toDayNumber(text);
}

/** The longest time before the end of an order in which weather is read: that of one request. */
export const MAX_JOINED_DAYS = 3_660;

/** The first day that a shape's columns need; the days of clocks behind UTC begin earlier. */
export function toFirstDay(
  columns: readonly JoinedColumn[],
  { from, to }: { readonly from: string; readonly to: string },
  sownOn: string | null,
): number {
  const start = toDayNumber(from) - 1;
  const starts = columns.map(({ over }) =>
    over.kind === 'since' ? toStart(over.start, toDayNumber(from), sownOn) : null,
  );
  const first = Math.min(start, ...starts.filter((day) => day !== null));
  return Math.max(first, toDayNumber(to) + 2 - MAX_JOINED_DAYS);
}
