/** Lengths, areas and heights in the units that the user prefers. */

/** The units of the preferences. */
export type Units = 'metric' | 'imperial';

const FOOT_M = 0.3048;
const MILE_M = 1609.344;
const ACRE_M2 = 4046.8564224;

/** A no-break space keeps a number and its unit in one line. */
const withUnit = (value: number, unit: string, locale: string): string => {
  const digits = Math.abs(value) >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 4 };
  return `${new Intl.NumberFormat(locale, digits).format(value).replace('-', '−')}\u00a0${unit}`;
};

/** `743 m`, `9.046 km`; feet and miles. */
export const formatLength = (lengthM: number, units: Units, locale: string): string => {
  if (units === 'imperial') {
    const isShort = lengthM < MILE_M / 4;
    return withUnit(lengthM / (isShort ? FOOT_M : MILE_M), isShort ? 'ft' : 'mi', locale);
  }
  return lengthM < 1000 ? withUnit(lengthM, 'm', locale) : withUnit(lengthM / 1000, 'km', locale);
};

/** `5,400 m²`, `559.7 ha`, `7,892 km²`; square feet, acres and square miles. */
export const formatArea = (areaM2: number, units: Units, locale: string): string => {
  if (units === 'imperial') {
    if (areaM2 < ACRE_M2) return withUnit(areaM2 / FOOT_M ** 2, 'ft²', locale);
    return areaM2 < 10_000 * ACRE_M2
      ? withUnit(areaM2 / ACRE_M2, 'ac', locale)
      : withUnit(areaM2 / MILE_M ** 2, 'mi²', locale);
  }
  if (areaM2 < 10_000) return withUnit(areaM2, 'm²', locale);
  return areaM2 < 1e8 ? withUnit(areaM2 / 1e4, 'ha', locale) : withUnit(areaM2 / 1e6, 'km²', locale);
};

/** Metres or feet above the sea, whole ones from 100 on. */
export const formatHeight = (heightM: number, units: Units, locale: string): string => {
  const value = units === 'imperial' ? heightM / FOOT_M : heightM;
  const rounded = Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return withUnit(rounded, units === 'imperial' ? 'ft' : 'm', locale);
};
