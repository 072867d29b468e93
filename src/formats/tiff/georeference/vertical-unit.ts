import type { GeoKeys } from './geo-keys.ts';
import { GEO_KEY as KEY } from './geo-keys.ts';

const FOOT = 9_002;
const US_SURVEY_FOOT = 9_003;
/** "User defined" names no unit. */
const USER_DEFINED = 32_767;

/** Vertical systems in feet, by EPSG code: NGVD29 and NAVD88. All others that files name are in metres. */
const SYSTEMS_IN_FEET: ReadonlyMap<number, number> = new Map([
  [5_702, US_SURVEY_FOOT],
  [6_360, US_SURVEY_FOOT],
  [8_228, FOOT],
]);

/** The EPSG code of the unit of heights; null when the keys do not say it. */
export function toVerticalUnit(keys: GeoKeys): number | null {
  const unit = keys.get(KEY.verticalUnits);
  if (unit !== undefined && unit > 0 && unit !== USER_DEFINED) return unit;
  return SYSTEMS_IN_FEET.get(keys.get(KEY.verticalSystem) ?? 0) ?? null;
}
