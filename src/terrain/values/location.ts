/** A location in degrees. */
export interface Location {
  readonly lat: number;
  readonly lon: number;
}
