import type { ExportArea } from '../export.ts';

/** A file of indices, as it is ordered; plain JSON but for the outline of an area. */
export interface IndexOrder {
  readonly viewId: string;
  /** The view id without its sensor, see `SceneName`. */
  readonly sceneName: string;
  /** Abbreviation of the sensor: `S2`. */
  readonly sensor: string;
  /** Bands, aliases or band math: one expression, or several separated by commas. */
  readonly expressions: string;
  /** The caller's own name for the combination; null for none. */
  readonly nameAlias: string | null;
  /** Null for the whole scene. */
  readonly area: ExportArea | null;
}
