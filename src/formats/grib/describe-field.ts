import type { GribField, GribLevel, GribMethod } from './grib-field.ts';

/** What a field is, in words and times. */
export interface GribDescription {
  /** The short name of ecCodes, with the level where the name does not say it; numbers if it is unknown. */
  readonly name: string;
  readonly longName: string;
  /** As ecCodes writes them; empty if unknown. */
  readonly units: string;
  /** Null where neither the header nor the parameter says it. */
  readonly method: GribMethod | null;
  /** When the period begins; null for a moment, and where it is unknown. */
  readonly startMs: number | null;
}

/** Says what a field is, by the numbers of its header. */
export function describeField(field: GribField): GribDescription {
  const known = parameterNames.get(toKey(field))?.find((one) => isFor(one, field));
  const level = toLevelText(field.level);
  const { method, startMs } = toPeriod(field, known?.over ?? null);
  if (known === undefined)
    return { name: `${toNumbers(field)}_${level}`, longName: '', units: '', method, startMs };
  const { at, name, longName, units } = known;
  return { name: at === undefined ? `${name}_${level}` : name, longName, units, method, startMs };
}

const LOCAL = 192;

function toKey({ edition, centre, parameter }: GribField): string {
  if (edition === 1) {
    const [version, number] = parameter as readonly [number, number];
    return version <= 3 && number < 128 ? `1/wmo/${number}` : `1/${centre}/${version}/${number}`;
  }
  const isLocal = parameter.some((number) => number >= LOCAL);
  return isLocal ? `2/${centre}/${parameter.join('/')}` : `2/${parameter.join('/')}`;
}

function toNumbers({ edition, parameter }: GribField): string {
  const letters = edition === 1 ? ['t', 'n'] : ['d', 'c', 'n'];
  return parameter.map((number, i) => `${letters[i]}${number}`).join('');
}

const toLevelText = ({ type, value, to }: GribLevel): string =>
  [`l${type}`, value, to].filter((part) => part !== null).join('_');

function isFor({ at, when }: ParameterName, { level, method }: GribField): boolean {
  if (when !== undefined && (method === null || !when.includes(method))) return false;
  return at === undefined || isAt(at, level);
}

/** Code table 4.5: 1 surface, 10 and 200 (of NCEP) the whole atmosphere, 101 the sea, 103 metres above ground, 106 below. */
function isAt(at: NamedLevel, { type, value }: GribLevel): boolean {
  if (at === 'any') return true;
  if (at === 'surface') return type === 1;
  if (at === 'sea') return type === 101;
  if (at === 'column') return type === 10 || type === 200;
  // Soil layers are numbered from 1 where they have no depths (type 151).
  if (at === 'top-soil')
    return (type === 106 && value === 0) || (type === 151 && (value === 0 || value === 1));
  return type === 103 && value === HEIGHTS_M[at];
}

const HEIGHTS_M = { '2m': 2, '10m': 10, '100m': 100 } as const;

/** Sums and extremes of ECMWF often have the header of a moment: their period is known otherwise, or begins with the run. */
function toPeriod(
  { method, startMs, endMs, runMs, periodMs }: GribField,
  over: GribMethod | null,
): Pick<GribDescription, 'method' | 'startMs'> {
  if (over === null || (method !== 'instant' && method !== null)) return { method, startMs };
  if (startMs !== null) return { method: over, startMs };
  if (periodMs !== null) return { method: over, startMs: endMs - periodMs };
  return { method: over, startMs: over === 'sum' && endMs > runMs ? runMs : null };
}

/** Where a field must lie for a name: any height, or one that the name itself says. */
type NamedLevel = 'any' | 'surface' | 'sea' | 'column' | '2m' | '10m' | '100m' | 'top-soil';

/** One meaning of a parameter. */
interface ParameterName {
  /** The short name of ecCodes. */
  readonly name: string;
  readonly units: string;
  readonly longName: string;
  /** Without one the name gets the level added to it: `t_l100_85000`. */
  readonly at?: NamedLevel;
  /** The name holds only for these methods of the header. */
  readonly when?: readonly GribMethod[];
  /** What the parameter is by its meaning, where headers say a moment although it is over a period. */
  readonly over?: GribMethod;
}

const named = (
  name: string,
  units: string,
  longName: string,
  more: Pick<ParameterName, 'at' | 'when' | 'over'> = {},
): ParameterName => ({ name, units, longName, ...more });

const onGround = { at: 'any' } as const;
const summed = { at: 'any', over: 'sum' } as const;
const extreme = (over: 'min' | 'max', at: NamedLevel = 'any') => ({ at, over });

/** Names that mean the same in several tables. */
const TEMPERATURE = [
  named('mx2t', 'K', 'Maximum temperature at 2 metres', { at: '2m', when: ['max'] }),
  named('mn2t', 'K', 'Minimum temperature at 2 metres', { at: '2m', when: ['min'] }),
  named('2t', 'K', 'Temperature at 2 metres', { at: '2m' }),
  // Temperature of the surface itself; ecCodes calls it t there.
  named('skt', 'K', 'Skin temperature', { at: 'surface' }),
  named('stl1', 'K', 'Soil temperature from the surface down', { at: 'top-soil' }),
  named('t', 'K', 'Temperature'),
];
const MAXIMUM = [
  named('mx2t', 'K', 'Maximum temperature at 2 metres', extreme('max', '2m')),
  named('tmax', 'K', 'Maximum temperature', { over: 'max' }),
];
const MINIMUM = [
  named('mn2t', 'K', 'Minimum temperature at 2 metres', extreme('min', '2m')),
  named('tmin', 'K', 'Minimum temperature', { over: 'min' }),
];
const DEWPOINT = [
  named('2d', 'K', 'Dewpoint temperature at 2 metres', { at: '2m' }),
  named('dpt', 'K', 'Dewpoint temperature'),
];
const SPECIFIC_HUMIDITY = [
  named('2sh', 'kg kg**-1', 'Specific humidity at 2 metres', { at: '2m' }),
  named('q', 'kg kg**-1', 'Specific humidity'),
];
const RELATIVE_HUMIDITY = [
  named('2r', '%', 'Relative humidity at 2 metres', { at: '2m' }),
  named('r', '%', 'Relative humidity'),
];
const WIND_SPEED = [
  named('10si', 'm s**-1', 'Wind speed at 10 metres', { at: '10m' }),
  named('ws', 'm s**-1', 'Wind speed'),
];
const U_WIND = [
  named('10u', 'm s**-1', 'Wind to the east at 10 metres', { at: '10m' }),
  named('100u', 'm s**-1', 'Wind to the east at 100 metres', { at: '100m' }),
  named('u', 'm s**-1', 'Wind to the east'),
];
const V_WIND = [
  named('10v', 'm s**-1', 'Wind to the north at 10 metres', { at: '10m' }),
  named('100v', 'm s**-1', 'Wind to the north at 100 metres', { at: '100m' }),
  named('v', 'm s**-1', 'Wind to the north'),
];
const PRESSURE = [
  named('sp', 'Pa', 'Surface pressure', { at: 'surface' }),
  named('msl', 'Pa', 'Pressure reduced to mean sea level', { at: 'sea' }),
  named('pres', 'Pa', 'Pressure'),
];
const SEA_PRESSURE = [named('prmsl', 'Pa', 'Pressure reduced to mean sea level', onGround)];
const GEOPOTENTIAL = [
  named('z', 'm**2 s**-2', 'Geopotential of the surface', { at: 'surface' }),
  named('z', 'm**2 s**-2', 'Geopotential'),
];
const HEIGHT = [
  named('orog', 'm', 'Height of the surface', { at: 'surface' }),
  named('gh', 'gpm', 'Geopotential height'),
];
const CLOUDS = [
  named('tcc', '%', 'Total cloud cover', { at: 'column' }),
  named('tcc', '%', 'Total cloud cover', { at: 'surface' }),
  named('tcc', '%', 'Total cloud cover'),
];
const SOLAR = [
  named('ssrd', 'J m**-2', 'Solar radiation on the surface', { at: 'surface', when: ['sum'] }),
  named('sdswrf', 'W m**-2', 'Solar radiation on the surface', { at: 'surface' }),
  named('dswrf', 'W m**-2', 'Downward solar radiation'),
];
const THERMAL = [
  named('strd', 'J m**-2', 'Thermal radiation on the surface', { at: 'surface', when: ['sum'] }),
  named('sdlwrf', 'W m**-2', 'Thermal radiation on the surface', { at: 'surface' }),
  named('dlwrf', 'W m**-2', 'Downward thermal radiation'),
];
const SOIL_TEMPERATURE = [
  named('stl1', 'K', 'Soil temperature from the surface down', { at: 'top-soil' }),
  named('st', 'K', 'Soil temperature'),
];
const SOIL_WATER = [
  named('swvl1', 'm**3 m**-3', 'Volumetric soil water from the surface down', { at: 'top-soil' }),
  named('swv', 'm**3 m**-3', 'Volumetric soil water'),
];
const RAIN = [named('tp', 'kg m**-2', 'Total precipitation', summed)];
const SNOW_DEPTH = [named('sde', 'm', 'Snow depth', onGround)];
const SNOW_WATER = [named('sdwe', 'kg m**-2', 'Water equivalent of the snow on the ground', onGround)];
const LAND = [named('lsm', '(0 - 1)', 'Land-sea mask', onGround)];
const RATE = [named('prate', 'kg m**-2 s**-1', 'Precipitation rate', onGround)];

/**
 * What parameters are called, by their numbers. Edition 1: `1/wmo/<number>` of the table that all share (versions 1 to 3,
 * numbers below 128), or `1/<centre>/<version>/<number>`. Edition 2: `2/<discipline>/<category>/<number>`, or
 * `2/<centre>/…` for numbers from 192 on, which each centre defines. Sources: WMO Manual on Codes I.2 (FM 92), tables 2 and
 * 4.2; ECMWF parameter database, tables 128 and 228; NCEP office notes 388 and GRIB2 tables. The first that fits holds.
 */
export const parameterNames: ReadonlyMap<string, readonly ParameterName[]> = new Map([
  // WMO, edition 1
  ['1/wmo/1', PRESSURE],
  ['1/wmo/2', SEA_PRESSURE],
  ['1/wmo/6', GEOPOTENTIAL],
  ['1/wmo/7', HEIGHT],
  ['1/wmo/11', TEMPERATURE],
  ['1/wmo/15', MAXIMUM],
  ['1/wmo/16', MINIMUM],
  ['1/wmo/17', DEWPOINT],
  ['1/wmo/32', WIND_SPEED],
  ['1/wmo/33', U_WIND],
  ['1/wmo/34', V_WIND],
  ['1/wmo/51', SPECIFIC_HUMIDITY],
  ['1/wmo/52', RELATIVE_HUMIDITY],
  ['1/wmo/59', RATE],
  ['1/wmo/61', RAIN],
  ['1/wmo/65', SNOW_WATER],
  ['1/wmo/66', SNOW_DEPTH],
  ['1/wmo/71', CLOUDS],
  ['1/wmo/81', LAND],
  ['1/wmo/85', SOIL_TEMPERATURE],
  // NCEP, edition 1
  ['1/7/2/144', SOIL_WATER],
  ['1/7/2/204', SOLAR],
  ['1/7/2/205', THERMAL],
  // ECMWF, edition 1
  ['1/98/128/33', [named('rsn', 'kg m**-3', 'Density of the snow', onGround)]],
  ['1/98/128/39', [named('swvl1', 'm**3 m**-3', 'Volumetric soil water, 0 to 0.07 m', onGround)]],
  ['1/98/128/40', [named('swvl2', 'm**3 m**-3', 'Volumetric soil water, 0.07 to 0.28 m', onGround)]],
  ['1/98/128/41', [named('swvl3', 'm**3 m**-3', 'Volumetric soil water, 0.28 to 1 m', onGround)]],
  ['1/98/128/42', [named('swvl4', 'm**3 m**-3', 'Volumetric soil water, 1 to 2.89 m', onGround)]],
  ['1/98/128/49', [named('10fg', 'm s**-1', 'Maximum gust at 10 metres', extreme('max'))]],
  ['1/98/128/51', [named('mx2t24', 'K', 'Maximum temperature at 2 metres in 24 hours', extreme('max'))]],
  ['1/98/128/52', [named('mn2t24', 'K', 'Minimum temperature at 2 metres in 24 hours', extreme('min'))]],
  ['1/98/128/121', [named('mx2t6', 'K', 'Maximum temperature at 2 metres in 6 hours', extreme('max'))]],
  ['1/98/128/122', [named('mn2t6', 'K', 'Minimum temperature at 2 metres in 6 hours', extreme('min'))]],
  ['1/98/128/129', GEOPOTENTIAL],
  ['1/98/128/130', [named('t', 'K', 'Temperature')]],
  ['1/98/128/131', [named('u', 'm s**-1', 'Wind to the east')]],
  ['1/98/128/132', [named('v', 'm s**-1', 'Wind to the north')]],
  ['1/98/128/133', [named('q', 'kg kg**-1', 'Specific humidity')]],
  ['1/98/128/134', [named('sp', 'Pa', 'Surface pressure', onGround)]],
  ['1/98/128/139', [named('stl1', 'K', 'Soil temperature, 0 to 0.07 m', onGround)]],
  [
    '1/98/128/141',
    [named('sd', 'm of water equivalent', 'Water equivalent of the snow on the ground', onGround)],
  ],
  ['1/98/128/142', [named('lsp', 'm', 'Large-scale precipitation', summed)]],
  ['1/98/128/143', [named('cp', 'm', 'Convective precipitation', summed)]],
  ['1/98/128/144', [named('sf', 'm of water equivalent', 'Snowfall', summed)]],
  ['1/98/128/151', [named('msl', 'Pa', 'Pressure reduced to mean sea level', onGround)]],
  ['1/98/128/157', [named('r', '%', 'Relative humidity')]],
  ['1/98/128/164', [named('tcc', '(0 - 1)', 'Total cloud cover', onGround)]],
  ['1/98/128/165', [named('10u', 'm s**-1', 'Wind to the east at 10 metres', onGround)]],
  ['1/98/128/166', [named('10v', 'm s**-1', 'Wind to the north at 10 metres', onGround)]],
  ['1/98/128/167', [named('2t', 'K', 'Temperature at 2 metres', onGround)]],
  ['1/98/128/168', [named('2d', 'K', 'Dewpoint temperature at 2 metres', onGround)]],
  ['1/98/128/169', [named('ssrd', 'J m**-2', 'Solar radiation on the surface', summed)]],
  ['1/98/128/170', [named('stl2', 'K', 'Soil temperature, 0.07 to 0.28 m', onGround)]],
  ['1/98/128/172', LAND],
  ['1/98/128/175', [named('strd', 'J m**-2', 'Thermal radiation on the surface', summed)]],
  ['1/98/128/176', [named('ssr', 'J m**-2', 'Net solar radiation of the surface', summed)]],
  ['1/98/128/177', [named('str', 'J m**-2', 'Net thermal radiation of the surface', summed)]],
  ['1/98/128/182', [named('e', 'm of water equivalent', 'Evaporation', summed)]],
  ['1/98/128/183', [named('stl3', 'K', 'Soil temperature, 0.28 to 1 m', onGround)]],
  ['1/98/128/201', [named('mx2t', 'K', 'Maximum temperature at 2 metres', extreme('max'))]],
  ['1/98/128/202', [named('mn2t', 'K', 'Minimum temperature at 2 metres', extreme('min'))]],
  ['1/98/128/205', [named('ro', 'm', 'Runoff', summed)]],
  ['1/98/128/207', [named('10si', 'm s**-1', 'Wind speed at 10 metres', onGround)]],
  ['1/98/128/228', [named('tp', 'm', 'Total precipitation', summed)]],
  ['1/98/128/235', [named('skt', 'K', 'Skin temperature', onGround)]],
  ['1/98/128/236', [named('stl4', 'K', 'Soil temperature, 1 to 2.89 m', onGround)]],
  ['1/98/228/2', [named('orog', 'm', 'Height of the surface', onGround)]],
  ['1/98/228/26', [named('mx2t3', 'K', 'Maximum temperature at 2 metres in 3 hours', extreme('max'))]],
  ['1/98/228/27', [named('mn2t3', 'K', 'Minimum temperature at 2 metres in 3 hours', extreme('min'))]],
  ['1/98/228/29', [named('i10fg', 'm s**-1', 'Gust at 10 metres', onGround)]],
  ['1/98/228/246', [named('100u', 'm s**-1', 'Wind to the east at 100 metres', onGround)]],
  ['1/98/228/247', [named('100v', 'm s**-1', 'Wind to the north at 100 metres', onGround)]],
  ['1/98/228/251', [named('pev', 'm', 'Potential evaporation', summed)]],
  // WMO, edition 2
  ['2/0/0/0', TEMPERATURE],
  ['2/0/0/4', MAXIMUM],
  ['2/0/0/5', MINIMUM],
  ['2/0/0/6', DEWPOINT],
  ['2/0/0/17', [named('skt', 'K', 'Skin temperature', onGround)]],
  ['2/0/1/0', SPECIFIC_HUMIDITY],
  ['2/0/1/1', RELATIVE_HUMIDITY],
  ['2/0/1/7', RATE],
  ['2/0/1/8', RAIN],
  ['2/0/1/11', SNOW_DEPTH],
  ['2/0/1/13', SNOW_WATER],
  [
    '2/0/1/52',
    [
      named('tp', 'kg m**-2', 'Total precipitation', { at: 'any', when: ['sum'] }),
      named('tprate', 'kg m**-2 s**-1', 'Total precipitation rate', onGround),
    ],
  ],
  [
    '2/0/1/53',
    [
      named('sf', 'kg m**-2', 'Water equivalent of the snowfall', { at: 'any', when: ['sum'] }),
      named('tsrwe', 'kg m**-2 s**-1', 'Snowfall rate', onGround),
    ],
  ],
  ['2/0/1/60', [named('sd', 'kg m**-2', 'Water equivalent of the snow on the ground', onGround)]],
  ['2/0/1/61', [named('rsn', 'kg m**-3', 'Density of the snow', onGround)]],
  ['2/0/2/1', WIND_SPEED],
  ['2/0/2/2', U_WIND],
  ['2/0/2/3', V_WIND],
  [
    '2/0/2/22',
    [
      named('10fg', 'm s**-1', 'Maximum gust at 10 metres', { at: '10m', when: ['max'] }),
      named('i10fg', 'm s**-1', 'Gust at 10 metres', { at: '10m' }),
      named('gust', 'm s**-1', 'Gust', onGround),
    ],
  ],
  ['2/0/3/0', PRESSURE],
  ['2/0/3/1', SEA_PRESSURE],
  ['2/0/3/4', GEOPOTENTIAL],
  ['2/0/3/5', HEIGHT],
  ['2/0/4/7', SOLAR],
  ['2/0/5/3', THERMAL],
  ['2/0/6/1', CLOUDS],
  ['2/2/0/0', LAND],
  ['2/2/0/2', SOIL_TEMPERATURE],
  ['2/2/0/25', SOIL_WATER],
  ['2/2/3/18', SOIL_TEMPERATURE],
  // NCEP, edition 2
  ['2/7/0/4/192', SOLAR],
  ['2/7/0/5/192', THERMAL],
  ['2/7/2/0/192', SOIL_WATER],
  // ECMWF, edition 2
  ['2/98/0/1/193', [named('tp', 'm', 'Total precipitation', summed)]],
  ['2/98/0/1/195', [named('cp', 'm', 'Convective precipitation', summed)]],
  ['2/98/0/1/196', [named('lsp', 'm', 'Large-scale precipitation', summed)]],
  ['2/98/0/1/198', [named('sf', 'm of water equivalent', 'Snowfall', summed)]],
  ['2/98/0/1/199', [named('e', 'm of water equivalent', 'Evaporation', summed)]],
  ['2/98/0/1/200', [named('pev', 'm', 'Potential evaporation', summed)]],
  [
    '2/98/0/1/254',
    [named('sd', 'm of water equivalent', 'Water equivalent of the snow on the ground', onGround)],
  ],
  ['2/98/0/6/192', [named('tcc', '(0 - 1)', 'Total cloud cover', onGround)]],
  ['2/98/2/0/201', [named('ro', 'm', 'Runoff', summed)]],
  ['2/98/192/128/39', [named('swvl1', 'm**3 m**-3', 'Volumetric soil water, 0 to 0.07 m', onGround)]],
  ['2/98/192/128/40', [named('swvl2', 'm**3 m**-3', 'Volumetric soil water, 0.07 to 0.28 m', onGround)]],
  ['2/98/192/128/139', [named('stl1', 'K', 'Soil temperature, 0 to 0.07 m', onGround)]],
  ['2/98/192/128/170', [named('stl2', 'K', 'Soil temperature, 0.07 to 0.28 m', onGround)]],
]);
