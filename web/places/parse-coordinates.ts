/** Coordinates as people type them: decimal degrees, degrees with minutes and seconds, UTM and MGRS. */
import { fromUtm } from '../shapes/utm.ts';
import { bandSouth, parseMgrs } from './mgrs.ts';

/** A location that a text names. */
export interface Coordinates {
  readonly lon: number;
  readonly lat: number;
  readonly form: 'degrees' | 'utm' | 'mgrs';
}

/** The letters of the directions in the page's language, beside N, S, E and W. */
export interface Directions {
  readonly north: string;
  readonly south: string;
  readonly east: string;
  readonly west: string;
}

/** The longest coordinate has about 50 characters; cutting a long text in every way would take long. */
const MAX_LENGTH = 80;

type Direction = keyof Directions;
const LETTERS: readonly [Direction, string][] = [
  ['north', 'N'],
  ['south', 'S'],
  ['east', 'E'],
  ['west', 'W'],
];

const isOnEarth = (lon: number, lat: number): boolean => Math.abs(lat) <= 90 && Math.abs(lon) <= 180;

/** Upper case, with one letter for each direction: those of the page go before ours, because O is east or west. */
const toPlain = (text: string, directions: Directions): string => {
  let plain = text.toUpperCase();
  for (const [direction, letter] of LETTERS) {
    const own = directions[direction].toUpperCase();
    if (own !== letter) plain = plain.replaceAll(own, letter);
  }
  return plain
    .replaceAll(/[−–]/g, '-')
    .replaceAll(/[°º]/g, '°')
    .replaceAll(/''|[″“”"]/g, '"')
    .replaceAll(/[′’‘´`']/g, "'")
    .trim();
};

interface Angle {
  readonly value: number;
  readonly letter: string | null;
  readonly isPlain: boolean;
}

const NUMBER = String.raw`\d+(?:[.]\d+)?`;
const ANGLE = new RegExp(
  String.raw`^\s*([NSEW])?\s*([-+])?\s*(${NUMBER})\s*°?\s*(?:(${NUMBER})\s*'?\s*(?:(${NUMBER})\s*"?)?)?\s*([NSEW])?\s*$`,
);

const parseAngle = (text: string): Angle | null => {
  const [matched, before, sign, degrees = '', minutes, seconds, after] = ANGLE.exec(text) ?? [];
  if (matched === undefined || (before !== undefined && after !== undefined)) return null;
  // Only the last part of an angle has decimals, and a minute has 60 of them.
  if (minutes !== undefined && (degrees.includes('.') || Number(minutes) >= 60)) return null;
  if (seconds !== undefined && (minutes?.includes('.') || Number(seconds) >= 60)) return null;
  const size = Number(degrees) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3600;
  const letter = before ?? after ?? null;
  if (letter !== null && sign !== undefined) return null;
  const isNegative = sign === '-' || letter === 'S' || letter === 'W';
  return { value: isNegative ? -size : size, letter, isPlain: minutes === undefined };
};

const isLatitude = ({ letter }: Angle): boolean => letter === 'N' || letter === 'S';
const isLongitude = ({ letter }: Angle): boolean => letter === 'E' || letter === 'W';

/** Latitude first, unless letters or the size of the numbers say otherwise. */
const toPair = (first: Angle, second: Angle): Coordinates | null => {
  if ((isLatitude(first) && isLatitude(second)) || (isLongitude(first) && isLongitude(second))) return null;
  const isSwapped =
    isLongitude(first) ||
    isLatitude(second) ||
    (first.letter === null && second.letter === null && Math.abs(first.value) > 90);
  const [lat, lon] = isSwapped ? [second.value, first.value] : [first.value, second.value];
  return isOnEarth(lon, lat) ? { lon, lat, form: 'degrees' } : null;
};

/** Every way to cut a text into two angles; most have one. */
const listHalves = (plain: string): readonly (readonly [string, string])[] => {
  const separated = /^([^,;/]+)[,;/]([^,;/]+)$/.exec(plain);
  if (separated !== null) return [[separated[1] ?? '', separated[2] ?? '']];
  // Decimal commas: `48,137 11,575` and `48,137; 11,575`.
  const commas = /^([^;]*?\d,\d[^;,]*?)(?:;|,?\s+)([^;]*?\d,\d[^;,]*)$/.exec(plain);
  if (commas !== null) return [[(commas[1] ?? '').replace(',', '.'), (commas[2] ?? '').replace(',', '.')]];
  const words = plain
    .split(/\s+|(?<=\d['"°]?\s*[NSEW])(?=\s*[-+\d])|(?<=\d['"°]?)(?=[NSEW]\s*\d)/)
    .filter((word) => word !== '');
  return words
    .slice(1)
    .map((_, i) => [words.slice(0, i + 1).join(' '), words.slice(i + 1).join(' ')] as const);
};

const parseDegrees = (plain: string): readonly Coordinates[] => {
  const found = listHalves(plain).flatMap(([left, right]) => {
    const [first, second] = [parseAngle(left), parseAngle(right)];
    // `48 8 11 34` are two minutes each, not one angle with seconds and one without.
    if (first === null || second === null || first.isPlain !== second.isPlain) return [];
    return toPair(first, second) ?? [];
  });
  // Texts that can be cut in two ways, `1 2 3 4 5`, say too little.
  return found.length === 1 ? found : [];
};

const UTM = new RegExp(
  String.raw`^(?:UTM\s*)?(?:ZONE\s*)?(\d{1,2})\s*([A-Z])?[\s,]+(?:E\s*)?(${NUMBER})\s*(?:M?E)?[\s,]+(?:N\s*)?(${NUMBER})\s*(?:M?N)?$`,
);
const EPSG = new RegExp(String.raw`^EPSG:32([67])(\d\d)[\s,]+(${NUMBER})[\s,]+(${NUMBER})$`);

const toUtmPlace = (number: number, isNorth: boolean, x: number, y: number): readonly Coordinates[] => {
  if (number < 1 || number > 60 || x < 100_000 || x >= 900_000 || y > 10_000_000) return [];
  const [lon, lat] = fromUtm({ number, isNorth }, x, y);
  return isOnEarth(lon, lat) && Math.abs(lat) <= 84.5 ? [{ lon, lat, form: 'utm' }] : [];
};

/**
 * The letter of a zone is a hemisphere for some people and a band of latitude for others: `S` may mean the south, or
 * the band from 32° to 40° north. Where both are possible, both are answered.
 */
const parseUtm = (plain: string): readonly Coordinates[] => {
  const [byCode, hemisphere, codeZone, codeX, codeY] = EPSG.exec(plain) ?? [];
  if (byCode !== undefined)
    return toUtmPlace(Number(codeZone), hemisphere === '6', Number(codeX), Number(codeY));
  const [matched, zone, letter = 'N', x, y] = UTM.exec(plain) ?? [];
  if (matched === undefined) return [];
  const [number, easting, northing] = [Number(zone), Number(x), Number(y)];
  const south = bandSouth(letter);
  const ofHemisphere =
    letter === 'N' || letter === 'S' ? toUtmPlace(number, letter === 'N', easting, northing) : [];
  const ofBand =
    south === null || letter === 'N'
      ? []
      : toUtmPlace(number, south >= 0, easting, northing).filter(
          ({ lat }) => lat >= south - 0.1 && lat <= south + (letter === 'X' ? 12.1 : 8.1),
        );
  return [...ofHemisphere, ...ofBand];
};

/** The locations that a text can mean, usually one; none if it is not a coordinate. */
export const parseCoordinates = (text: string, directions: Directions): readonly Coordinates[] => {
  if (text.length > MAX_LENGTH) return [];
  const plain = toPlain(text, directions);
  const mgrs = parseMgrs(text);
  if (mgrs !== null) return [{ lon: mgrs.lon, lat: mgrs.lat, form: 'mgrs' }];
  const utm = parseUtm(plain);
  return utm.length > 0 ? utm : parseDegrees(plain);
};
