import type { Cubes, CubesConfig, CubesLock, GridReport, LockFolder, VariableRule } from '../cubes/index.ts';
import { ingestGrids, makeRulesPlan, openCubes, withGridFiles } from '../cubes/index.ts';
import { sourceBroken, unsupported } from './errors.ts';

/** Opens the data cubes of soil moisture; a process that writes them holds the lock. */
export const openMoistureCubes = (config: CubesConfig, lock: CubesLock | null = null): Cubes =>
  openCubes(config, 'soil-moisture', lock);

interface MoistureFilesOptions {
  readonly config: CubesConfig;
  readonly lockFolder: LockFolder;
  /** Absolute path of a file or folder. */
  readonly from: string;
  readonly cube: string;
  /** Name of the variable in the files; null to recognise it. */
  readonly variable: string | null;
  readonly porosity: number | null;
  readonly signal: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
  readonly onBug?: (error: unknown, file: string) => void;
}

/** Puts files of soil moisture into a data cube. */
export function ingestMoistureFiles(options: MoistureFilesOptions): Promise<GridReport> {
  const { config, lockFolder, variable, porosity, ...rest } = options;
  return withGridFiles({ config, lockFolder, from: rest.from }, (files, lock) =>
    ingestGrids({
      ...rest,
      ...files,
      cubes: openMoistureCubes(config, lock),
      plan: makeRulesPlan({ cube: rest.cube, rules: [makeMoistureRule({ porosity })], variable }),
      settings: [variable, porosity].filter((setting) => setting !== null).join(' '),
    }),
  );
}

/** Name of the variable in the cubes of soil moisture. */
export const SURFACE = 'surface';

/** Names of the water of the upper soil: CF, SMAP, ESA CCI and C3S, H SAF, ERA5-Land, Open-Meteo. */
const NAMES = [
  'volume_fraction_of_condensed_water_in_soil',
  'soil_moisture_content',
  'sm_surface',
  'soil_moisture',
  'sm',
  'ssm',
  'surface_soil_moisture',
  'soil_moisture_0_to_7cm',
  'swvl1',
  'volumetric_soil_water_layer_1',
];

/** Spellings of cubic metres a cubic metre. */
const VOLUMETRIC =
  /^(?:1|m3m-3|m\^3m\^-3|m\*\*3m\*\*-3|m3\/m3|m\^3\/m\^3|m³\/m³|m³m-³|m³m⁻³|cm3\/cm3|cm3cm-3|vol\/vol|v\/v)$/;
const PERCENT = /^(?:%|percent|percentage)/;

/** Which variable of a file is soil moisture, and how it becomes cubic metres a cubic metre. */
export const makeMoistureRule = ({ porosity }: { readonly porosity: number | null }): VariableRule => ({
  as: SURFACE,
  longName: 'Volumetric water content of the upper soil',
  units: 'm3 m-3',
  names: NAMES,
  makeConvert(units) {
    const spelled = units.toLowerCase().replaceAll(/[\s.]/g, '');
    // Without units the values decide.
    if (spelled === '' || VOLUMETRIC.test(spelled)) return (field) => checkField(field);
    if (!PERCENT.test(spelled))
      throw unsupported(
        'moisture-units',
        `Soil moisture in "${units.slice(0, 40)}" is not known; m3 m-3 and % are.`,
      );
    if (porosity === null)
      throw unsupported(
        'moisture-percent',
        'The file has soil moisture in %, the degree of saturation. Say how much of the soil is pores, such as --porosity 0.45, to make it m3 m-3.',
      );
    return (field) => {
      for (let i = 0; i < field.length; i++) field[i]! *= porosity / 100;
      checkField(field);
    };
  },
});

/** Water takes between nothing and all of the soil: a few values outside are gaps, many mean other units. */
function checkField(field: Float32Array): void {
  let [inside, outside] = [0, 0];
  for (let i = 0; i < field.length; i++) {
    const value = field[i]!;
    if (Number.isNaN(value)) continue;
    if (value >= 0 && value <= 1) inside += 1;
    else {
      outside += 1;
      field[i] = Number.NaN;
    }
  }
  if (outside > inside)
    throw sourceBroken(
      'moisture-values',
      'Most values of the file lie outside of 0 to 1; they are not m3 m-3.',
    );
}
