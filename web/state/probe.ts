/** The values at a point of the map. */
import type { ViewerSensor } from '../scenes/sensor.ts';
import type { Point } from './map-view.ts';

/** A name and its value at a point; `null` where there is no number. */
export interface NamedValue {
  readonly name: string;
  readonly value: number | null;
}

/** The scene that a point shows. */
export interface ProbeSource {
  readonly viewId: string;
  /** Acquisition day, YYYY-MM-DD. */
  readonly date: string;
  readonly sensor: ViewerSensor;
}

/** What was read at a clicked point. */
export interface Probe {
  readonly point: Point;
  /** The scene that the values are of; `null` where a clear view shows none, or not yet. */
  readonly source: ProbeSource | null;
  readonly isLoading: boolean;
  readonly failure: string | null;
  readonly bands: readonly NamedValue[];
  readonly indices: readonly NamedValue[];
  /** Metres; `null` where no height is known, or not yet. */
  readonly elevationM: number | null;
}
