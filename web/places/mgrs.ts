/** Military Grid Reference System: `32U PU 91607 34760`, a square of 1 m to 100 km in a zone of UTM. */
import { fromUtm, toUtm } from '../shapes/utm.ts';

/** Bands of latitude, 8° each from 80° south; X has 12°. I and O are left out. */
const BANDS = 'CDEFGHJKLMNPQRSTUVWX';
/** Letters of columns of 100 km; they repeat every third zone. */
const COLUMNS = ['ABCDEFGH', 'JKLMNPQR', 'STUVWXYZ'];
/** Letters of rows of 100 km; they repeat every 2,000 km, and begin at F in zones of even number. */
const ROWS = 'ABCDEFGHJKLMNPQRSTUV';
const EVEN_START = ROWS.indexOf('F');
const SQUARE_M = 100_000;
const ROWS_M = ROWS.length * SQUARE_M;

const FORM = /^(\d{1,2})\s*([C-HJ-NP-X])\s*([A-HJ-NP-Z])([A-HJ-NP-V])\s*((?:\d\s*)*)$/i;

/** The southern edge of a band in degrees. */
export const bandSouth = (band: string): number | null => {
  const index = BANDS.indexOf(band.toUpperCase());
  return index < 0 || band === '' ? null : -80 + 8 * index;
};

/** The middle of the square that a reference names, and the length of its side; `null` for anything else. */
export const parseMgrs = (
  text: string,
): { readonly lon: number; readonly lat: number; readonly sizeM: number } | null => {
  const matched = FORM.exec(text.trim());
  if (matched === null) return null;
  const [, zoneText = '', band = '', column = '', row = '', spaced = ''] = matched;
  const digits = spaced.replaceAll(/\s/g, '');
  const number = Number(zoneText);
  const south = bandSouth(band);
  if (number < 1 || number > 60 || south === null || digits.length % 2 === 1 || digits.length > 10)
    return null;
  const columnIndex = COLUMNS[(number - 1) % 3]?.indexOf(column.toUpperCase()) ?? -1;
  if (columnIndex < 0) return null;
  const half = digits.length / 2;
  const sizeM = SQUARE_M / 10 ** half;
  const x = (columnIndex + 1) * SQUARE_M + (Number(digits.slice(0, half)) + 0.5) * sizeM;
  const rowStart = number % 2 === 0 ? EVEN_START : 0;
  const rowIndex = (ROWS.indexOf(row.toUpperCase()) - rowStart + ROWS.length) % ROWS.length;
  const within = rowIndex * SQUARE_M + (Number(digits.slice(half)) + 0.5) * sizeM;
  const zone = { number, isNorth: south >= 0 };
  // The first row with this letter that reaches into the band: bands are lower than the 2,000 km between equal letters.
  const [, edgeM] = toUtm(zone, number * 6 - 183, south);
  const repeats = Math.ceil((edgeM - SQUARE_M - within) / ROWS_M);
  const [lon, lat] = fromUtm(zone, x, within + Math.max(0, repeats) * ROWS_M);
  const height = band.toUpperCase() === 'X' ? 12 : 8;
  // A square that the edge of the band cuts may have its middle beyond; one that lies elsewhere does not exist.
  const slack = sizeM / SQUARE_M + 0.01;
  return lat < south - slack || lat > south + height + slack ? null : { lon, lat, sizeM };
};
