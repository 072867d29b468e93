/** Days after which a measurement counts 1/e of a new one: the water of the upper soil seeps down that slowly. */
const CHARACTERISTIC_DAYS = 10;

/**
 * The water of the root zone from that of the surface: the exponential filter of Wagner (1999) in the recursive form of
 * Albergel (2008). One value a day; a gap (NaN) stays a gap, and the values after it count by their distance in time.
 */
export function filterRootZone(
  surface: Float64Array,
  characteristicDays = CHARACTERISTIC_DAYS,
): Float64Array {
  const rootZone = new Float64Array(surface.length).fill(Number.NaN);
  let [gain, water, last] = [1, Number.NaN, -1];
  for (let day = 0; day < surface.length; day++) {
    const value = surface[day]!;
    if (Number.isNaN(value)) continue;
    if (last < 0) [gain, water] = [1, value];
    else {
      gain /= gain + Math.exp((last - day) / characteristicDays);
      water += gain * (value - water);
    }
    rootZone[day] = water;
    last = day;
  }
  return rootZone;
}
