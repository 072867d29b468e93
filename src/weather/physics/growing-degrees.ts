/** Degrees above the base that a day gives a crop: of the mean of both temperatures, none below the base. */
export const toGrowingDegrees = (min: number, max: number, base: number): number =>
  Math.max(0, (min + max) / 2 - base);
