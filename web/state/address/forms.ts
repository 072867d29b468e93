/** The forms that parts of an address must have: anyone can write an address. */

/** The id of a scene. */
export const SCENE_ID = /^[\w.-]{1,120}$/;
/** The name of a dataset. */
export const DATASET = /^[a-z0-9]{1,32}$/;
/** Band math; longer expressions than this are refused by the server too. */
export const BANDS = /^[\w\s,.()+\-*/^<>=!&|~%]{1,1000}$/;
/** A day `YYYY-MM-DD`. */
export const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Degrees, a zoom, a factor. */
export const DECIMAL = /^-?\d{1,3}(\.\d{1,10})?$/;
/** A value of a band or an expression. */
export const VALUE = /^-?\d{1,9}(\.\d{1,9})?$/;

/** The text if it has the form, `null` otherwise. */
export const takeIf = (text: string | null, form: RegExp): string | null =>
  text !== null && form.test(text) ? text : null;

/** A whole number from 0 to 100. */
export const parsePercent = (text: string | null): number | null => {
  const percent = Number(takeIf(text, /^\d{1,3}$/) ?? Number.NaN);
  return percent >= 0 && percent <= 100 ? percent : null;
};

/** What separates parts of an address is escaped, all other signs of band math stay readable. */
export const escapeMath = (text: string): string => text.replaceAll(/[%&#\s]/g, encodeURIComponent);

/** Brings a longitude of a map that was dragged around the world back to -180…180. */
export const wrapLon = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;
