import { HOUR_MS } from '../../../units.ts';
import { unread } from '../bytes/grib-errors.ts';
import { toView } from '../bytes/numbers.ts';
import type { GribField, GribMethod } from './grib-field.ts';
import { toMoment, toUnitMs } from './times.ts';

const ECMWF = 98;

/** Class ERA5 in the local section of ECMWF, and its streams: the reanalysis, and the ensemble of its uncertainty. */
const ERA5_CLASS = 23;
const ERA5_PERIODS_MS: ReadonlyMap<number, number> = new Map([
  [1025, HOUR_MS],
  [1030, 3 * HOUR_MS],
]);

/** What the period of a time range indicator means (table 5). */
const RANGE_METHODS: ReadonlyMap<number, GribMethod | null> = new Map([
  // Valid at some time between two; what it says about it is left to the parameter.
  [2, null],
  [3, 'mean'],
  [4, 'sum'],
  // The value at the end less that at the beginning: for something that accumulates, the sum in between.
  [5, null],
]);

/** The times of a field of edition 1, from its product section. */
export function toGrib1Time(
  product: Uint8Array,
): Pick<GribField, 'runMs' | 'startMs' | 'endMs' | 'method' | 'periodMs'> {
  const view = toView(product);
  const byte = (at: number): number => view.getUint8(at);
  const runMs = toMoment((byte(24) - 1) * 100 + byte(12), byte(13), byte(14), [byte(15), byte(16), 0]);
  const indicator = byte(20);
  const periodMs = toPeriodMs(view);
  if (indicator === 0 || indicator === 1 || indicator === 10) {
    // An initialised analysis has no forecast time; 10 has one of two bytes.
    const steps = indicator === 10 ? view.getUint16(18) : indicator === 1 ? 0 : byte(18);
    const endMs = runMs + (steps === 0 ? 0 : steps * toUnitMs(byte(17), 1));
    return { runMs, startMs: null, endMs, method: 'instant', periodMs };
  }
  const method = RANGE_METHODS.get(indicator);
  if (method === undefined)
    throw unread(
      'time-range',
      `Fields of the GRIB file have time range indicator ${indicator}, such as means of many runs; only moments, and periods of one run, are read.`,
    );
  const unitMs = toUnitMs(byte(17), 1);
  return { runMs, startMs: runMs + byte(18) * unitMs, endMs: runMs + byte(19) * unitMs, method, periodMs };
}

/** Sums and extremes of ERA5 are over one hour, or three, also where the header says a moment (ECMWF, ERA5 data documentation). */
function toPeriodMs(view: DataView): number | null {
  // Class and stream are bytes 42, and 44 and 45, of every local definition.
  if (view.getUint8(4) !== ECMWF || view.byteLength < 45 || view.getUint8(41) !== ERA5_CLASS) return null;
  return ERA5_PERIODS_MS.get(view.getUint16(43)) ?? null;
}
