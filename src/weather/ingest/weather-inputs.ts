import type { GridVariable } from '../../cubes/index.ts';
import type { WeatherVariable } from '../weather-series.ts';
import type { WeatherDimension } from './weather-units.ts';

/** What a file may have: variables of cubes, and those that are combined into one. */
export type WeatherInputName =
  | WeatherVariable
  | 'windEast'
  | 'windNorth'
  | 'snowWater'
  | 'snowDensity'
  | 'elevation';

/** How a variable is recognised, and what its numbers are. */
export interface WeatherInput {
  readonly dimension: WeatherDimension;
  /** Names that data sets give it, in lower case. */
  readonly names: readonly string[];
  /** Names of the CF conventions, which are less certain: other heights have the same. */
  readonly standardNames: readonly string[];
  /** Methods over time that a variable of such a name may have; any by default. */
  readonly methods?: readonly GridVariable['method'][];
  /** What a number says if the file does not: a state at its time, or a period that ends then. */
  readonly time: 'state' | 'period' | 'sum' | 'static';
}

const AIR_TEMPERATURE = {
  names: ['t2m', '2t', 'temperature_2m', '2m_temperature', 'tas', 't2'],
  standardNames: ['air_temperature'],
} as const;

/**
 * Names of ECMWF (ERA5 and ERA5-Land as NetCDF and as GRIB), ecCodes for GFS, AgERA5, E-OBS, CMIP, Open-Meteo and CF,
 * the most certain first.
 */
export const WEATHER_INPUTS: Readonly<Record<WeatherInputName, WeatherInput>> = {
  temperature: {
    dimension: 'temperature',
    names: [...AIR_TEMPERATURE.names, 'temperature_air_2m_mean_24h', 'temperature_2m_mean', 'tg'],
    standardNames: AIR_TEMPERATURE.standardNames,
    methods: [undefined, 'instant', 'mean'],
    time: 'state',
  },
  temperatureMin: {
    dimension: 'temperature',
    names: [
      ...['mn2t', 'mn2t3', 'mn2t6', 'mn2t24', 'tmin', 'tasmin', 'tn', 'temperature_2m_min', 't2m_min'],
      ...['temperature_air_2m_min_24h', 'minimum_2m_temperature_since_previous_post_processing'],
    ],
    standardNames: [],
    time: 'period',
  },
  temperatureMax: {
    dimension: 'temperature',
    names: [
      ...['mx2t', 'mx2t3', 'mx2t6', 'mx2t24', 'tmax', 'tasmax', 'tx', 'temperature_2m_max', 't2m_max'],
      ...['temperature_air_2m_max_24h', 'maximum_2m_temperature_since_previous_post_processing'],
    ],
    standardNames: [],
    time: 'period',
  },
  dewPoint: {
    dimension: 'temperature',
    names: ['d2m', '2d', 'dew_point_2m', 'dewpoint_2m', '2m_dewpoint_temperature', 'tdps'],
    standardNames: ['dew_point_temperature'],
    time: 'state',
  },
  vapourPressure: {
    dimension: 'pressure',
    names: ['vapour_pressure_mean', 'vapour_pressure', 'vapor_pressure', 'vap'],
    standardNames: ['water_vapor_partial_pressure_in_air'],
    time: 'state',
  },
  relativeHumidity: {
    dimension: 'share',
    names: ['r2', '2r', 'relative_humidity_2m', 'relative_humidity_2m_mean', 'hurs', 'rh2m', 'rh', 'hu'],
    standardNames: ['relative_humidity'],
    time: 'state',
  },
  windSpeed: {
    dimension: 'speed',
    names: ['si10', '10si', 'wind_speed_10m', 'wind_speed_10m_mean', 'sfcwind', 'ws10', 'ws10m', 'fg'],
    standardNames: ['wind_speed'],
    time: 'state',
  },
  windEast: {
    dimension: 'speed',
    names: ['u10', '10u', '10m_u_component_of_wind', 'uas'],
    standardNames: ['eastward_wind'],
    time: 'state',
  },
  windNorth: {
    dimension: 'speed',
    names: ['v10', '10v', '10m_v_component_of_wind', 'vas'],
    standardNames: ['northward_wind'],
    time: 'state',
  },
  precipitation: {
    dimension: 'water',
    names: [
      ...[
        'tp',
        'total_precipitation',
        'precipitation',
        'precipitation_flux',
        'precipitation_sum',
        'pr',
        'rr',
      ],
      ...['precip', 'precipitationcal', 'mtpr', 'avg_tprate', 'tprate', 'prate'],
    ],
    standardNames: [
      ...['precipitation_amount', 'lwe_thickness_of_precipitation_amount', 'precipitation_flux'],
      ...['lwe_precipitation_rate', 'rainfall_amount', 'thickness_of_rainfall_amount'],
    ],
    time: 'sum',
  },
  snowDepth: {
    dimension: 'depth',
    names: ['sde', 'snow_depth', 'snow_thickness_mean', 'snd', 'sdepth'],
    standardNames: ['surface_snow_thickness'],
    time: 'state',
  },
  snowWater: {
    dimension: 'water',
    names: ['sd', 'sdwe', 'swe', 'snow_thickness_lwe_mean'],
    standardNames: ['lwe_thickness_of_surface_snow_amount', 'surface_snow_amount'],
    time: 'state',
  },
  snowDensity: {
    dimension: 'density',
    names: ['rsn', 'snow_density'],
    standardNames: ['snow_density'],
    time: 'state',
  },
  soilTemperature: {
    dimension: 'temperature',
    names: ['stl1', 'st', 'soilt', 'soil_temperature_0_to_7cm', 'soil_temperature_level_1', 'tsl'],
    standardNames: ['soil_temperature'],
    time: 'state',
  },
  cloudCover: {
    dimension: 'share',
    names: ['tcc', 'total_cloud_cover', 'cloud_cover', 'cloud_cover_mean', 'clt'],
    standardNames: ['cloud_area_fraction'],
    time: 'state',
  },
  radiation: {
    dimension: 'energy',
    names: [
      ...['ssrd', 'surface_solar_radiation_downwards', 'shortwave_radiation', 'shortwave_radiation_sum'],
      ...['solar_radiation_flux', 'rsds', 'sdswrf', 'dswrf', 'msdwswrf', 'avg_sdswrf', 'qq'],
    ],
    standardNames: [
      ...['surface_downwelling_shortwave_flux_in_air', 'surface_downwelling_shortwave_flux'],
      'integral_wrt_time_of_surface_downwelling_shortwave_flux_in_air',
    ],
    time: 'sum',
  },
  elevation: {
    dimension: 'height',
    names: ['z', 'orog', 'elevation', 'altitude', 'geopotential', 'surface_altitude', 'topo'],
    standardNames: ['surface_altitude', 'surface_geopotential'],
    time: 'static',
  },
};

/** A temperature with one of these methods over time is an extreme, whatever its name. */
const EXTREMES = { temperatureMin: 'min', temperatureMax: 'max' } as const;

/** The variables of a file that are of use, by what they are; several of one name differ in their periods. */
export type FoundInputs = ReadonlyMap<WeatherInputName, readonly GridVariable[]>;

const shortName = ({ name }: GridVariable): string => name.split('/').at(-1)!.toLowerCase();

/** Finds the variables of a file that are weather. */
export function findInputs(variables: readonly GridVariable[]): FoundInputs {
  const found = new Map<WeatherInputName, readonly GridVariable[]>();
  for (const name of Object.keys(WEATHER_INPUTS) as WeatherInputName[]) {
    const matching = findInput(variables, name);
    if (matching.length > 0) found.set(name, matching);
  }
  return found;
}

function findInput(variables: readonly GridVariable[], input: WeatherInputName): readonly GridVariable[] {
  const { names, standardNames, methods } = WEATHER_INPUTS[input];
  const fits = ({ method }: GridVariable): boolean => methods === undefined || methods.includes(method);
  for (const name of names) {
    const matching = variables.filter((one) => shortName(one) === name && fits(one));
    if (matching.length > 0) return matching;
  }
  const extreme = input === 'temperatureMin' || input === 'temperatureMax' ? EXTREMES[input] : null;
  if (extreme !== null) {
    const { names: air, standardNames: standard } = AIR_TEMPERATURE;
    const isAir = (one: GridVariable): boolean =>
      (air as readonly string[]).includes(shortName(one)) ||
      (standard as readonly string[]).includes(one.standardName.toLowerCase());
    return variables.filter((one) => one.method === extreme && isAir(one)).slice(0, 1);
  }
  for (const name of standardNames) {
    // 100 m above the ground blows another wind.
    const one = variables.find(
      (variable) =>
        variable.standardName.toLowerCase() === name && fits(variable) && !/100m?$/.test(shortName(variable)),
    );
    if (one !== undefined) return [one];
  }
  return [];
}
