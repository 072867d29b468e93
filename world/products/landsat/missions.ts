import type { Sensor } from '../../../src/sensors/index.ts';
import { sensorByDataset } from '../../../src/sensors/index.ts';
import { DAY_MS } from '../../setting.ts';

/** Satellites and instruments we write products of, by the dataset they belong to. */
export type LandsatMission =
  | 'landsat9'
  | 'landsat8'
  | 'landsat7'
  | 'landsat5tm'
  | 'landsat4tm'
  | 'landsat5mss'
  | 'landsat4mss';

/** How much a band trembles: `dark` is the deviation in the dark, `shot` the growth of the variance with the signal. */
interface Noise {
  readonly dark: number;
  readonly shot: number;
}

/** What products of a mission say and look like, beyond what `sensors/` knows of its bands. */
interface MissionFacts {
  readonly satellite: number;
  /** First letters of its scenes: C for OLI and TIRS, E for ETM+, T for TM, M for MSS. */
  readonly letter: 'C' | 'E' | 'T' | 'M';
  readonly sensorId: string;
  /** Ground station and version, the end of scene ids. */
  readonly station: string;
  readonly version: string;
  readonly doi: string;
  /** What the quality band can say. */
  readonly quality: 'oli' | 'tm' | 'mss';
  /** When the archive was processed for collection 2, `YYYY-MM-DD`; younger scenes were soon after they were taken. */
  readonly reprocessed: string | null;
  /** In reflectance; at 0.2 the deviation is 0.0006 (OLI), 0.0015 (ETM+), 0.002 (TM) and 0.003 (MSS). */
  readonly reflectiveNoise: Noise;
  /** In kelvin. */
  readonly thermalNoise: Noise;
  /** The sun outside the atmosphere by band, in W/(m² µm): only where `sensors/` needs none to calibrate. */
  readonly esun: Readonly<Record<string, number>>;
  /** Bands flown with low gain, where there are two gains. */
  readonly lowGain: readonly string[] | null;
  /** From when on the scan lines have gaps: the line corrector of Landsat 7 broke on 2003-05-31. */
  readonly gapsFromMs: number | null;
}

/** What none but Landsat 7 have differently. */
const defaults = { esun: {}, lowGain: null, gapsFromMs: null } as const satisfies Partial<MissionFacts>;

const oli = {
  ...defaults,
  letter: 'C',
  sensorId: 'OLI_TIRS',
  station: 'LGN',
  version: '00',
  doi: 'https://doi.org/10.5066/P975CC9B',
  quality: 'oli',
  reflectiveNoise: { dark: 0.0003, shot: 1.4e-6 },
  thermalNoise: { dark: 0.05, shot: 0 },
} as const satisfies Partial<MissionFacts>;

const tm = {
  ...defaults,
  letter: 'T',
  sensorId: 'TM',
  station: 'PAC',
  doi: 'https://doi.org/10.5066/P918ROHC',
  quality: 'tm',
  reflectiveNoise: { dark: 0.0012, shot: 1.2e-5 },
  thermalNoise: { dark: 0.17, shot: 0 },
} as const satisfies Partial<MissionFacts>;

const mss = {
  ...defaults,
  letter: 'M',
  sensorId: 'MSS',
  station: 'AAA',
  version: '03',
  doi: 'https://doi.org/10.5066/P9AF14YV',
  quality: 'mss',
  reflectiveNoise: { dark: 0.002, shot: 2.3e-5 },
  thermalNoise: { dark: 0, shot: 0 },
} as const satisfies Partial<MissionFacts>;

/** ESUN of OLI from the ratio of radiance and reflectance that real products state. */
const facts: Readonly<Record<LandsatMission, MissionFacts>> = {
  landsat9: {
    ...oli,
    satellite: 9,
    reprocessed: null,
    esun: { 1: 1969.8, 2: 2023.1, 3: 1859, 4: 1575.6, 5: 966.7, 6: 241.5, 7: 81.54, 8: 1783.5, 9: 401 },
  },
  landsat8: {
    ...oli,
    satellite: 8,
    reprocessed: '2020-09-07',
    esun: { 1: 1972.3, 2: 2019.6, 3: 1861.1, 4: 1569.3, 5: 960.4, 6: 238.8, 7: 80.5, 8: 1776.1, 9: 375.3 },
  },
  landsat7: {
    satellite: 7,
    letter: 'E',
    sensorId: 'ETM',
    station: 'EDC',
    version: '00',
    doi: 'https://doi.org/10.5066/P9TU80IG',
    quality: 'tm',
    reprocessed: '2020-09-14',
    reflectiveNoise: { dark: 0.0008, shot: 8e-6 },
    thermalNoise: { dark: 0.15, shot: 0 },
    esun: {},
    lowGain: ['4', '6_VCID_1', '8'],
    gapsFromMs: Date.UTC(2003, 4, 31),
  },
  landsat5tm: { ...tm, satellite: 5, version: '01', reprocessed: '2020-08-31' },
  landsat4tm: { ...tm, satellite: 4, station: 'XXX', version: '03', reprocessed: '2020-09-18' },
  landsat5mss: { ...mss, satellite: 5, reprocessed: '2021-09-18' },
  landsat4mss: { ...mss, satellite: 4, reprocessed: '2021-09-02' },
};

/** A mission's facts and its sensor. */
export interface Mission extends MissionFacts {
  readonly dataset: LandsatMission;
  readonly sensor: Sensor;
}

/** All about a mission. */
export const toMission = (dataset: LandsatMission): Mission => ({
  ...facts[dataset],
  dataset,
  sensor: sensorByDataset(dataset)!,
});

/** Path and row of the world reference system (WRS-2) that the world lies in. */
export const wrs = { path: 46, row: 26 } as const;

/** What a product is called, and when it was processed. */
export interface ProductName {
  readonly sceneId: string;
  readonly productId: string;
  readonly tier: 'T1' | 'T2';
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly processedAt: string;
}

/** Days from a picture to its product. */
const PROCESSING_DAYS = 9;

function toProcessedAt({ reprocessed }: Mission, collection: 1 | 2, atMs: number): string {
  const soon = new Date(atMs + PROCESSING_DAYS * DAY_MS).toISOString().slice(0, 10);
  const day = collection === 2 && reprocessed !== null && reprocessed > soon ? reprocessed : soon;
  return `${day}T11:17:36Z`;
}

/** `LXSPPPRRRYYYYDDDGSIVV` and `LXSS_LLLL_PPPRRR_YYYYMMDD_yyyymmdd_CC_TX`. */
export function toProductName(mission: Mission, collection: 1 | 2, atMs: number): ProductName {
  const { letter, satellite, station, version } = mission;
  const pathRow = `${String(wrs.path).padStart(3, '0')}${String(wrs.row).padStart(3, '0')}`;
  const acquiredOn = new Date(atMs).toISOString().slice(0, 10);
  const year = acquiredOn.slice(0, 4);
  const dayOfYear = Math.floor((atMs - Date.UTC(Number(year), 0, 1)) / DAY_MS) + 1;
  const processedAt = toProcessedAt(mission, collection, atMs);
  const toDigits = (day: string) => day.slice(0, 10).replaceAll('-', '');
  // few scenes of the oldest instrument lie as exactly as those of the first tier
  const tier = letter === 'M' ? 'T2' : 'T1';
  return {
    sceneId: `L${letter}${satellite}${pathRow}${year}${String(dayOfYear).padStart(3, '0')}${station}${version}`,
    productId: [
      `L${letter}0${satellite}`,
      'L1TP',
      pathRow,
      toDigits(acquiredOn),
      toDigits(processedAt),
      `0${collection}`,
      tier,
    ].join('_'),
    tier,
    processedAt,
  };
}
