import type { MultiPolygonGeometry } from '../geo/index.ts';
import type { HistogramBins } from '../numbers/index.ts';

/** A level of masking by the scene classification of Sentinel-2. */
export type ClassLevel = 1 | 2 | 3 | 4;

/** What is done about clouds. */
export interface CloudOptions {
  /** Scenes with more clouds in the area are left out; null for no limit. */
  readonly maxPercent: number | null;
  /** On scenes of which sensors clouds are masked by their own mask. */
  readonly masked: 'none' | 'sentinel-2' | 'all';
  /** Masks classes of Sentinel-2 scenes as well; null for none. */
  readonly level: ClassLevel | null;
}

/** Statistics of an area over time, as they are ordered; plain JSON. */
export interface StatisticsOrder {
  /** Dates, both included. */
  readonly from: string;
  readonly to: string;
  /** Ids of datasets. */
  readonly datasets: readonly string[];
  /** Bands, aliases or band math, each with one value a pixel, as the caller has written them. */
  readonly expressions: readonly string[];
  /** In its normal form. */
  readonly area: MultiPolygonGeometry;
  /** How many scenes are used, the newest first. */
  readonly limit: number;
  readonly clouds: CloudOptions;
  /** Null for none. */
  readonly histogram: HistogramBins | null;
}
