import type { LocalWindow } from '../local-window.ts';

/** One GRD product of Sentinel-1A, mode IW, with the polarisations VV and VH. */
export interface Sentinel1Plan {
  /** Milliseconds since 1970, of the first line. Descending passes come at about 14:20 UTC, ascending ones at 02:00. */
  readonly atMs: number;
  readonly pass: 'ascending' | 'descending';
  /** The image stands aslant in it, and touches its sides. What lies beyond the world is stored as 0. */
  readonly window: LocalWindow;
  /** Distance of pixels and lines: 10 m in real products, more to make it coarser. */
  readonly spacingM: number;
  /** Incidence at the first pixel, from the vertical: 30 degrees at the near end of the real swath, 46 at the far one. */
  readonly nearIncidenceDeg: number;
  readonly seed: number;
}
