/** The values at a point of the map. */
import type { Point } from './map-view.ts';

/** A name and its value at a point; `null` where there is no number. */
export interface NamedValue {
  readonly name: string;
  readonly value: number | null;
}

/** What was read at a clicked point. */
export interface Probe {
  readonly point: Point;
  readonly viewId: string;
  readonly isLoading: boolean;
  readonly failure: string | null;
  readonly bands: readonly NamedValue[];
  readonly indices: readonly NamedValue[];
  /** Metres; `null` where no height is known, or not yet. */
  readonly elevationM: number | null;
}
