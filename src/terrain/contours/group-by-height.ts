import type { ContourLine } from './contour-line.ts';

/** The lines of one height, as one feature of a map. */
export interface ContourFeature {
  readonly properties: ContourProperties;
  /** Points of each line, as x, y, x, y, … in pixels of the grid. */
  readonly lines: readonly Float64Array[];
}

/** What clients learn of a contour: the names that vector tiles of contours have in common. */
export type ContourProperties = {
  /** Elevation in metres. */
  readonly ele: number;
  /** Whether it is an index contour: every fifth, drawn bolder and labelled. */
  readonly index: boolean;
};

/** Gathers lines of equal height, from the lowest to the highest. */
export const groupByHeight = (lines: readonly ContourLine[]): readonly ContourFeature[] =>
  [...Map.groupBy(lines, ({ heightM }) => heightM)]
    .sort(([one], [other]) => one - other)
    .map(([ele, members]) => ({
      properties: { ele, index: members.some(({ isIndex }) => isIndex) },
      lines: members.map(({ points }) => points),
    }));
