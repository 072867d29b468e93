import type { GeoKeys } from './geo-keys.ts';
import { GEO_KEY as K } from './geo-keys.ts';

/** "User defined": the value is given by other keys. */
const USER_DEFINED = 32_767;
const MODEL = { projected: 1, geographic: 2 } as const;

/**
 * Figures of the earth by the EPSG code of a geographic system. Only systems that agree with WGS 84 to a metre, that PROJ
 * knows by name, or that have no datum: of any other, a figure without the way to WGS 84 would be hundreds of metres off.
 */
const GEOGRAPHIC_FIGURES: ReadonlyMap<number, string> = new Map([
  [4326, '+datum=WGS84'],
  [4269, '+datum=NAD83'],
  [4267, '+datum=NAD27'],
  // ETRS89, SIRGAS 2000, GDA94, GDA2020, JGD2000, JGD2011, NAD83(CSRS), NZGD2000, RGF93
  ...[4258, 4674, 4283, 7844, 4612, 6668, 4617, 4167, 4171].map((code) => [code, '+ellps=GRS80'] as const),
  // unknown datums upon an ellipsoid
  [4001, '+ellps=airy'],
  [4004, '+ellps=bessel'],
  [4008, '+ellps=clrk66'],
  [4012, '+ellps=clrk80'],
  [4019, '+ellps=GRS80'],
  [4022, '+ellps=intl'],
  [4024, '+ellps=krass'],
  [4030, '+ellps=WGS84'],
]);
/** EPSG numbers a datum 2000 above its geographic system, in all rows above except some of the youngest. */
const DATUM_STEP = 2_000;

const ELLIPSOIDS: readonly {
  readonly code: number;
  readonly name: string;
  readonly a: number;
  readonly rf: number;
}[] = [
  { code: 7001, name: 'airy', a: 6_377_563.396, rf: 299.3249646 },
  { code: 7003, name: 'aust_SA', a: 6_378_160, rf: 298.25 },
  { code: 7004, name: 'bessel', a: 6_377_397.155, rf: 299.1528128 },
  { code: 7008, name: 'clrk66', a: 6_378_206.4, rf: 294.978698213898 },
  { code: 7012, name: 'clrk80', a: 6_378_249.145, rf: 293.4663 },
  { code: 7019, name: 'GRS80', a: 6_378_137, rf: 298.257222101 },
  { code: 7022, name: 'intl', a: 6_378_388, rf: 297 },
  { code: 7024, name: 'krass', a: 6_378_245, rf: 298.3 },
  { code: 7030, name: 'WGS84', a: 6_378_137, rf: 298.257223563 },
  { code: 7049, name: 'IAU76', a: 6_378_140, rf: 298.257 },
  { code: 7043, name: 'WGS72', a: 6_378_135, rf: 298.26 },
];

/** Lengths and radians of EPSG units; the names are PROJ's. */
const LINEAR_UNITS: ReadonlyMap<number, { readonly word: string; readonly metres: number }> = new Map([
  [9001, { word: '+units=m', metres: 1 }],
  [9002, { word: '+units=ft', metres: 0.3048 }],
  [9003, { word: '+units=us-ft', metres: 1200 / 3937 }],
  [9036, { word: '+units=km', metres: 1000 }],
]);
const ANGULAR_UNITS: ReadonlyMap<number, number> = new Map([
  [9101, 180 / Math.PI],
  [9102, 1],
  [9105, 0.9],
  [9106, 0.9],
]);

/** A number with no more digits than it needs: sums of units leave dust after the fifteenth. */
const toText = (value: number): string => String(Number(value.toPrecision(15)));

/** How a method's keys become words of PROJ. The first key that a file has counts: writers disagree about which. */
interface Method {
  readonly name: string;
  readonly angles: Readonly<Record<string, readonly number[]>>;
  readonly scale?: readonly number[];
}

const LON = [K.naturalOriginLongitude, K.centreLongitude, K.falseOriginLongitude, K.straightPoleLongitude];
const LAT = [K.naturalOriginLatitude, K.centreLatitude, K.falseOriginLatitude];
const SCALE = [K.naturalOriginScale, K.centreScale];
const X = [K.falseEasting, K.falseOriginEasting, K.centreEasting];
const Y = [K.falseNorthing, K.falseOriginNorthing, K.centreNorthing];
const PARALLELS = { lat_1: [K.standardParallel1], lat_2: [K.standardParallel2] };

/** By the number of ProjMethodGeoKey; those that PROJ has another form of are made below. */
const METHODS: ReadonlyMap<number, Method> = new Map<number, Method>([
  [1, { name: 'tmerc', angles: { lat_0: LAT, lon_0: LON }, scale: SCALE }],
  [
    8,
    {
      name: 'lcc',
      angles: {
        lat_0: [K.falseOriginLatitude, ...LAT],
        lon_0: [K.falseOriginLongitude, ...LON],
        ...PARALLELS,
      },
    },
  ],
  [9, { name: 'lcc', angles: { lat_1: LAT, lat_0: LAT, lon_0: LON }, scale: SCALE }],
  [10, { name: 'laea', angles: { lat_0: [K.centreLatitude, ...LAT], lon_0: [K.centreLongitude, ...LON] } }],
  [11, { name: 'aea', angles: { lat_0: LAT, lon_0: LON, ...PARALLELS } }],
  [12, { name: 'aeqd', angles: { lat_0: [K.centreLatitude, ...LAT], lon_0: [K.centreLongitude, ...LON] } }],
  [13, { name: 'eqdc', angles: { lat_0: LAT, lon_0: LON, ...PARALLELS } }],
  [16, { name: 'sterea', angles: { lat_0: LAT, lon_0: LON }, scale: SCALE }],
  [24, { name: 'sinu', angles: { lon_0: [K.centreLongitude, ...LON] } }],
]);
const MERCATOR = 7;
const POLAR_STEREOGRAPHIC = 15;
const EQUIRECTANGULAR = 17;

const firstOf = (keys: GeoKeys, candidates: readonly number[]): number | undefined =>
  candidates.map((key) => keys.get(key)).find((value) => value !== undefined);

/** The figure of the earth; null when the keys do not say it. */
function toFigure(keys: GeoKeys): string | null {
  const datum =
    GEOGRAPHIC_FIGURES.get(keys.get(K.geographicType) ?? 0) ??
    GEOGRAPHIC_FIGURES.get((keys.get(K.geodeticDatum) ?? 0) - DATUM_STEP);
  if (datum !== undefined) return datum;
  const coded = ELLIPSOIDS.find(({ code }) => code === keys.get(K.ellipsoid));
  if (coded !== undefined) return `+ellps=${coded.name}`;
  const a = keys.get(K.semiMajorAxis);
  if (a === undefined || !(a > 0)) return null;
  const b = keys.get(K.semiMinorAxis);
  const rf = keys.get(K.inverseFlattening) ?? (b === undefined || b === a ? 0 : a / (a - b));
  const known = ELLIPSOIDS.find((row) => Math.abs(row.a - a) < 1e-3 && Math.abs(row.rf - rf) < 1e-8);
  if (known !== undefined) return `+ellps=${known.name}`;
  return rf === 0 ? `+R=${toText(a)}` : `+a=${toText(a)} +rf=${toText(rf)}`;
}

const toPrimeMeridian = (keys: GeoKeys): string[] => {
  const longitude = keys.get(K.primeMeridianLongitude) ?? 0;
  return longitude === 0 ? [] : [`+pm=${toText(longitude)}`];
};

function toLinearUnit(keys: GeoKeys): { readonly word: string; readonly metres: number } {
  const size = keys.get(K.linearUnitSize);
  const code = keys.get(K.linearUnit);
  if (code === USER_DEFINED && size !== undefined && size > 0) {
    const known = [...LINEAR_UNITS.values()].find(({ metres }) => Math.abs(metres - size) < 1e-12);
    return known ?? { word: `+to_meter=${toText(size)}`, metres: size };
  }
  return LINEAR_UNITS.get(code ?? 9001) ?? { word: '+units=m', metres: 1 };
}

/** UTM by number: EPSG has 16001 to 16060 for its northern zones and 16101 to 16160 for the southern. */
function toUtmWords(projection: number): string[] | null {
  const zone = projection % 100;
  const isUtm = projection > 16_000 && projection <= 16_160 && zone >= 1 && zone <= 60;
  if (!isUtm) return null;
  return ['+proj=utm', `+zone=${zone}`, ...(projection > 16_100 ? ['+south'] : [])];
}

/** Words of one method, without unit and figure of the earth; null for a method that we do not know. */
function toMethodWords(keys: GeoKeys, degrees: number): string[] | null {
  const number = keys.get(K.method);
  const angle = (candidates: readonly number[]) => toText((firstOf(keys, candidates) ?? 0) * degrees);
  const scale = (candidates: readonly number[]) => toText(firstOf(keys, candidates) ?? 1);
  if (number === MERCATOR) {
    const parallel = keys.get(K.standardParallel1);
    const size = parallel === undefined ? `+k=${scale(SCALE)}` : `+lat_ts=${toText(parallel * degrees)}`;
    return ['+proj=merc', `+lon_0=${angle(LON)}`, size];
  }
  if (number === POLAR_STEREOGRAPHIC) {
    const trueLatitude = (firstOf(keys, LAT) ?? 0) * degrees;
    const longitude = angle([K.straightPoleLongitude, ...LON]);
    const pole = trueLatitude < 0 ? -90 : 90;
    const factor = scale(SCALE);
    // PROJ has either a latitude of true scale or, at the pole itself, a scale
    const size = Math.abs(trueLatitude) === 90 ? `+k=${factor}` : `+lat_ts=${toText(trueLatitude)}`;
    return ['+proj=stere', `+lat_0=${pole}`, size, `+lon_0=${longitude}`];
  }
  if (number === EQUIRECTANGULAR) {
    const parallel = angle([K.standardParallel1]);
    const origin = [
      `+lat_0=${angle([K.centreLatitude, ...LAT])}`,
      `+lon_0=${angle([K.centreLongitude, ...LON])}`,
    ];
    return ['+proj=eqc', `+lat_ts=${parallel}`, ...origin];
  }
  const method = METHODS.get(number ?? 0);
  if (method === undefined) return null;
  const angles = Object.entries(method.angles).map(([word, from]) => `+${word}=${angle(from)}`);
  const factor = method.scale === undefined ? [] : [`+${number === 9 ? 'k_0' : 'k'}=${scale(method.scale)}`];
  return [`+proj=${method.name}`, ...angles, ...factor];
}

/**
 * The reference system as a PROJ string, for files that define theirs by parameters instead of a code; null when they do
 * not, or by a method or figure of the earth that we do not know.
 */
export function toUserProjection(keys: GeoKeys): string | null {
  const figure = toFigure(keys);
  if (figure === null) return null;
  const model = keys.get(K.modelType);
  if (model === MODEL.geographic) {
    return ['+proj=longlat', figure, ...toPrimeMeridian(keys), '+no_defs'].join(' ');
  }
  if (model !== MODEL.projected) return null;
  const { word, metres } = toLinearUnit(keys);
  const utm = toUtmWords(keys.get(K.projection) ?? 0);
  if (utm !== null) return [...utm, figure, word, '+no_defs'].join(' ');
  const unit = keys.get(K.angularUnit);
  const userUnit = keys.get(K.angularUnitSize);
  const degrees =
    unit === USER_DEFINED && userUnit !== undefined
      ? (userUnit * 180) / Math.PI
      : (ANGULAR_UNITS.get(unit ?? 9102) ?? 1);
  const method = toMethodWords(keys, degrees);
  if (method === null) return null;
  const falseOrigin = [
    `+x_0=${toText((firstOf(keys, X) ?? 0) * metres)}`,
    `+y_0=${toText((firstOf(keys, Y) ?? 0) * metres)}`,
  ];
  return [...method, ...falseOrigin, figure, ...toPrimeMeridian(keys), word, '+no_defs'].join(' ');
}
