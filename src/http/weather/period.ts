import { badInput } from '../../errors.ts';
import { parseDay } from '../request/day.ts';
import type { Params } from '../request/params.ts';
import { toBadCode } from '../request/switch.ts';

/** Local days, both included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;

/** Reads `start_date` and `end_date`. */
export function readPeriod(params: Params, maxDays: number): Period {
  const [from, to] = [readDate(params, 'start_date'), readDate(params, 'end_date')];
  if (from > to) throw badInput('dates-reversed', `start_date ${from} is later than end_date ${to}.`);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days > maxDays) {
    throw badInput(
      'period-too-long',
      `start_date and end_date span ${days} days; the limit is ${maxDays} days.`,
    );
  }
  return { from, to };
}

function readDate(params: Params, name: string): string {
  const day = parseDay(params[name]);
  if (day === null)
    throw badInput(toBadCode(name), `${name} must be a date such as 2026-06-21 (YYYY-MM-DD).`);
  return day;
}
