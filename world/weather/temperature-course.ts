/** Coldest and warmest of a day. */
interface Range {
  readonly minC: number;
  readonly maxC: number;
}

interface Days {
  readonly before: Range;
  readonly today: Range;
  readonly after: Range;
  /** The whole hour at which it is coldest, about sunrise. */
  readonly coldestHour: number;
}

/** Air is warmest two to three hours after the sun is highest. */
const WARMEST_HOUR = 15;
/** Share of the fall from the warmest hour to the next coldest one that is done by midnight. */
const FALLEN_BY_MIDNIGHT = 0.7;

/**
 * Temperatures at the whole hours of a day: up in a half wave from the coldest hour to the warmest, down fast in the
 * evening and slowly in the night. No hour is colder or warmer than the day says.
 */
export function temperatureCourse({ before, today, after, coldestHour }: Days): Float64Array {
  const { minC, maxC } = today;
  const start = midnightC(before, today);
  const end = midnightC(today, after);
  return Float64Array.from({ length: 24 }, (_, hour) => {
    const celsius = at(hour);
    return Math.min(maxC, Math.max(minC, celsius));
  });

  function at(hour: number): number {
    if (hour <= coldestHour) {
      const part = hour / coldestHour;
      return start + (minC - start) * part * (2 - part);
    }
    if (hour <= WARMEST_HOUR) {
      const part = (hour - coldestHour) / (WARMEST_HOUR - coldestHour);
      return minC + (maxC - minC) * part * part * (3 - 2 * part);
    }
    const part = (hour - WARMEST_HOUR) / (24 - WARMEST_HOUR);
    return maxC + (end - maxC) * part * part * (2 - part);
  }
}

/** What two days can agree on between them. */
function midnightC(evening: Range, morning: Range): number {
  const falls = evening.maxC + FALLEN_BY_MIDNIGHT * (morning.minC - evening.maxC);
  const highest = Math.min(evening.maxC, morning.maxC);
  return Math.min(highest, Math.max(evening.minC, morning.minC, falls));
}
