/** UTM zone 10 north. */
export const epsg = 32610;

/**
 * Where the demo world is: the frame of Sentinel-2 tile 10UEU, 109,800 m square, between the Salish Sea and the North
 * Cascades. Locations of the world are in local metres: x east and y south of its upper left corner, so
 * easting = west + x and northing = north - y.
 */
export const frame = { west: 499980, north: 5400000, sizeM: 109800 } as const;

/** Days are counted from 1970-01-01 in UTC, as in `Date`. */
export const DAY_MS = 86_400_000;

/** The day a date such as 2026-06-21 names. */
export const toDay = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

/** The two years that time series, weather and soil moisture of the demo cover. */
export const worldYears = { first: '2024-10-01', last: '2026-09-30' } as const;

/** The date of a day, such as 2026-06-21. */
export const toDate = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/**
 * Hours that the clock of the world is ahead of UTC: the middle of the world lies at 122.26° west, 8.15 hours from
 * Greenwich. A day of the climate is one of this clock, as AgERA5 counts days, so that all its sunshine is one day's.
 */
export const UTC_OFFSET_HOURS = -8;

/** Milliseconds of an hour. */
export const HOUR_MS = 3_600_000;

/** When a day of the world begins. */
export const dayStartMs = (day: number): number => day * DAY_MS - UTC_OFFSET_HOURS * HOUR_MS;

/** The day of the world that a moment lies in. */
export const dayOfMs = (atMs: number): number => Math.floor((atMs + UTC_OFFSET_HOURS * HOUR_MS) / DAY_MS);

/** Named locations in local metres: the landscape is laid out around them, whatever the seed. */
export const spots = {
  /** Middle of the widest farmland; no large river within 4 km, a village at its edge. */
  farm: { x: 49000, y: 73500 },
  /** Middle of the largest inland town. */
  town: { x: 47600, y: 62400 },
  /** Conifer forest of the foothills with clear-cuts. */
  forest: { x: 73000, y: 36500 },
  /** Middle of the wildfire. */
  fire: { x: 83000, y: 71500 },
  /** Middle of the lake that the main river runs through. */
  lake: { x: 68000, y: 51200 },
  /** Top of the highest mountain, within 2 km. */
  summit: { x: 96000, y: 27500 },
  /** Open shore: sea to the west, beach, fields to the east. */
  shore: { x: 36900, y: 70500 },
  /** Low ground along the main river that the flood covers. */
  flood: { x: 40500, y: 57500 },
} as const;

const dayOf = (iso: string): number => Date.parse(iso) / DAY_MS;

/** The wildfire: it breaks out on one day, has burnt all it will by another, and greens again over years. */
export const fire = {
  x: spots.fire.x,
  y: spots.fire.y,
  /** Half the length of its perimeter's axes, before the wind and the valleys tear it: about 50 km². */
  radiusXM: 4500,
  radiusYM: 3700,
  fromDay: dayOf('2026-08-09'),
  burntDay: dayOf('2026-08-11'),
} as const;

/** The winter flood of the main river below the foothills, by days; its water stands deepest on the peak day. */
export const flood = {
  fromDay: dayOf('2025-12-08'),
  peakDay: dayOf('2025-12-11'),
  untilDay: dayOf('2025-12-22'),
  /** Metres above the river's normal level on the peak day. */
  peakM: 3.5,
  /** Box that it stays in, and how far it reaches from the river. */
  fromX: 30500,
  untilX: 56500,
  fromY: 46000,
  untilY: 67000,
  awayM: 6000,
} as const;

/** Metres that the main river stands above its normal level on a day; 0 outside of the flood. */
export function floodLevelM(day: number): number {
  if (day < flood.fromDay || day > flood.untilDay) return 0;
  if (day <= flood.peakDay) {
    return (flood.peakM * (day - flood.fromDay + 1)) / (flood.peakDay - flood.fromDay + 1);
  }
  const falling = (flood.untilDay + 1 - day) / (flood.untilDay + 1 - flood.peakDay);
  return flood.peakM * falling * (0.4 + 0.6 * falling);
}
