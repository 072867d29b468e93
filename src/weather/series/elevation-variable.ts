/**
 * Name of the variable of a cube that holds the height of the model's ground in metres. It does not change with time:
 * `readSeries` reads it with `firstStep` and `lastStep` 0.
 */
export const ELEVATION_VARIABLE = 'elevation';

/** What the cube says about it. */
export const ELEVATION = {
  units: 'm',
  longName: 'Height of the ground in the model',
  isStatic: true,
} as const;
