/** One contour line. Higher ground is on its right, seen with the first row of the grid on top. */
export interface ContourLine {
  /** Height of the ground along the line. */
  readonly heightM: number;
  /** Every fifth line is an index contour, which maps draw bolder and label. */
  readonly isIndex: boolean;
  /**
   * x, y, x, y, … in pixels of the grid: (0.5, 0.5) is the centre of the first pixel. The last point of a closed line
   * repeats the first.
   */
  readonly points: Float64Array;
}

/** Whether a line is a ring: it ends where it begins. */
export const isClosed = ({ points }: Pick<ContourLine, 'points'>): boolean =>
  points[0] === points[points.length - 2] && points[1] === points[points.length - 1];
