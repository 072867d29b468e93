import type { GribGrid } from './grid.ts';
import type { Packing } from './packing.ts';

/** What a value says about its time, as the header states it; null where it is none of these. */
export type GribMethod = 'instant' | 'sum' | 'mean' | 'min' | 'max';

/** Where a field lies in height: types and units of edition 2 (code table 4.5), in both editions. */
export interface GribLevel {
  /** Types of edition 1 that edition 2 does not have are counted from 1000. */
  readonly type: number;
  /** Metres, pascals or a number, as the type has it; null without one. */
  readonly value: number | null;
  /** The lower side of a layer; null without one. */
  readonly to: number | null;
}

/** A range of bytes of the file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** What a message of a GRIB file says about one field. */
export interface GribField {
  readonly edition: 1 | 2;
  /** Number of the producer (WMO common code table C-11): 98 is ECMWF, 7 is NCEP. */
  readonly centre: number;
  /** Table and number in edition 1; discipline, category and number in edition 2. */
  readonly parameter: readonly number[];
  readonly level: GribLevel;
  readonly grid: GribGrid;
  readonly method: GribMethod | null;
  readonly runMs: number;
  /** When the period begins; null for a moment. */
  readonly startMs: number | null;
  /** The moment, or the end of the period. */
  readonly endMs: number;
  /** How long periods of this data set are, where that is known from elsewhere than its times. */
  readonly periodMs: number | null;
  readonly packing: Packing;
  readonly data: ByteRange;
  readonly bitmap: ByteRange | null;
}
