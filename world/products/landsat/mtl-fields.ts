import { makeProjection } from '../../../src/proj/index.ts';
import type { SunPosition } from '../../light/exposure.ts';
import { epsg, frame } from '../../setting.ts';
import type { BandScale } from './band-scale.ts';
import type { LandsatGrid } from './grid.ts';
import { toPanGrid } from './grid.ts';
import type { Mission, ProductName } from './missions.ts';
import { wrs } from './missions.ts';

/** All that the metadata of a product say. */
export interface MtlFacts {
  readonly mission: Mission;
  readonly collection: 1 | 2;
  readonly name: ProductName;
  readonly atMs: number;
  readonly sun: SunPosition;
  readonly earthSunDistanceAu: number;
  readonly clouds: { readonly all: number; readonly land: number };
  readonly scales: readonly BandScale[];
  /** Keys of bands with pixels too bright for them. */
  readonly saturated: ReadonlySet<string>;
  readonly grid: LandsatGrid;
  readonly hasGaps: boolean;
}

/** Names of the band files. */
export const toBandFiles = ({ scales, name }: MtlFacts): MtlField[] =>
  scales.map(({ key }) => word(`FILE_NAME_BAND_${key}`, `${name.productId}_B${key}.TIF`));

/** Which scene of which satellite it is. */
export function toScene({ mission, atMs }: MtlFacts): MtlField[] {
  const [day, time = ''] = new Date(atMs).toISOString().split('T');
  return [
    word('SPACECRAFT_ID', `LANDSAT_${mission.satellite}`),
    word('SENSOR_ID', mission.sensorId),
    bare('WRS_TYPE', 2),
    bare('WRS_PATH', String(wrs.path).padStart(3, '0')),
    bare('WRS_ROW', String(wrs.row).padStart(3, '0')),
    bare('DATE_ACQUIRED', day!),
    word('SCENE_CENTER_TIME', `${time.slice(0, 12)}0000Z`),
  ];
}

/** Clouds in percent, and how good the picture is. */
export function toSky({ mission, clouds }: MtlFacts): MtlField[] {
  const quality = mission.quality === 'oli' ? ['IMAGE_QUALITY_OLI', 'IMAGE_QUALITY_TIRS'] : ['IMAGE_QUALITY'];
  return [
    bare('CLOUD_COVER', clouds.all.toFixed(2)),
    bare('CLOUD_COVER_LAND', clouds.land.toFixed(2)),
    ...quality.map((key) => bare(key, 9)),
  ];
}

/** Bands with pixels too bright for them. */
export const toSaturation = ({ mission, scales, saturated }: MtlFacts): MtlField[] =>
  scales
    .filter(({ thermal }) => !(mission.quality === 'oli' && thermal !== null))
    .map(({ key }) => word(`SATURATION_BAND_${key}`, saturated.has(key) ? 'Y' : 'N'));

/** Where the sun stands. */
export const toSun = ({ sun, earthSunDistanceAu }: MtlFacts): MtlField[] => [
  bare('SUN_AZIMUTH', (sun.azimuthDeg > 180 ? sun.azimuthDeg - 360 : sun.azimuthDeg).toFixed(8)),
  bare('SUN_ELEVATION', sun.elevationDeg.toFixed(8)),
  bare('EARTH_SUN_DISTANCE', earthSunDistanceAu.toFixed(7)),
];

/** How the mirror swept. */
export const toSensorMode = ({ mission, hasGaps }: MtlFacts): MtlField[] =>
  mission.quality === 'tm'
    ? [word('SENSOR_MODE', hasGaps ? 'BUMPER' : 'SAM'), word('SENSOR_MODE_SLC', hasGaps ? 'OFF' : 'ON')]
    : [];

const hasPan = ({ scales }: MtlFacts) => scales.some(({ isPan }) => isPan);
const hasThermal = ({ scales }: MtlFacts) => scales.some(({ thermal }) => thermal !== null);

/** The map and the size of its cells. */
export function toMap(facts: MtlFacts): MtlField[] {
  const { pixelM } = facts.grid;
  const size = (kind: string, metres: number) => bare(`GRID_CELL_SIZE_${kind}`, metres.toFixed(2));
  return [
    word('MAP_PROJECTION', 'UTM'),
    word('DATUM', 'WGS84'),
    word('ELLIPSOID', 'WGS84'),
    bare('UTM_ZONE', epsg - 32_600),
    ...(hasPan(facts) ? [size('PANCHROMATIC', pixelM / 2)] : []),
    size('REFLECTIVE', pixelM),
    ...(hasThermal(facts) ? [size('THERMAL', pixelM)] : []),
    word('ORIENTATION', 'NORTH_UP'),
  ];
}

/** Lines and samples of the files. */
export function toSizes(facts: MtlFacts): MtlField[] {
  const { grid } = facts;
  const size = (kind: string, { width, height }: LandsatGrid) => [
    bare(`${kind}_LINES`, height),
    bare(`${kind}_SAMPLES`, width),
  ];
  return [
    ...(hasPan(facts) ? size('PANCHROMATIC', toPanGrid(grid)) : []),
    ...size('REFLECTIVE', grid),
    ...(hasThermal(facts) ? size('THERMAL', grid) : []),
  ];
}

/** The middles of the corner pixels, on the earth and on the map. */
export function toCorners({ grid }: MtlFacts): MtlField[] {
  const west = frame.west + grid.firstX;
  const north = frame.north - grid.firstY;
  const east = west + (grid.width - 1) * grid.pixelM;
  const south = north - (grid.height - 1) * grid.pixelM;
  const corners = [
    ['UL', west, north],
    ['UR', east, north],
    ['LL', west, south],
    ['LR', east, south],
  ] as const;
  const { forward } = makeProjection(epsg, 4326);
  return [
    ...corners.flatMap(([corner, x, y]) => {
      const [lon, lat] = forward(x, y);
      return [
        bare(`CORNER_${corner}_LAT_PRODUCT`, lat.toFixed(5)),
        bare(`CORNER_${corner}_LON_PRODUCT`, lon.toFixed(5)),
      ];
    }),
    ...corners.flatMap(([corner, x, y]) => [
      bare(`CORNER_${corner}_PROJECTION_X_PRODUCT`, x.toFixed(3)),
      bare(`CORNER_${corner}_PROJECTION_Y_PRODUCT`, y.toFixed(3)),
    ]),
  ];
}

/** A field of a metadata file; words stand in quotes, numbers and days do not. */
interface MtlField {
  readonly key: string;
  readonly value: string;
  readonly isWord: boolean;
}

/** A group of fields. */
export interface MtlGroup {
  readonly name: string;
  readonly fields: readonly MtlField[];
}

/** A field whose value is a word. */
export const word = (key: string, value: string): MtlField => ({ key, value, isWord: true });

/** A field whose value is a number or a day. */
export const bare = (key: string, value: string | number): MtlField => ({
  key,
  value: String(value),
  isWord: false,
});

/** The file `_MTL.txt`, in the object description language. */
export function toOdl(root: string, groups: readonly MtlGroup[]): string {
  const lines = groups.flatMap(({ name, fields }) => [
    `  GROUP = ${name}`,
    ...fields.map(({ key, value, isWord }) => `    ${key} = ${isWord ? `"${value}"` : value}`),
    `  END_GROUP = ${name}`,
  ]);
  return [`GROUP = ${root}`, ...lines, `END_GROUP = ${root}`, 'END', ''].join('\n');
}

/** The file `_MTL.json`, in which all values are text. */
export function toJson(root: string, groups: readonly MtlGroup[]): string {
  const entries = groups.map(({ name, fields }) => [
    name,
    Object.fromEntries(fields.map(({ key, value }) => [key, value])),
  ]);
  return `${JSON.stringify({ [root]: Object.fromEntries(entries) }, null, 2)}\n`;
}

/** The file `_MTL.xml`; no value of ours has a character that XML would escape. */
export function toXml(root: string, groups: readonly MtlGroup[]): string {
  const lines = groups.flatMap(({ name, fields }) => [
    `  <${name}>`,
    ...fields.map(({ key, value }) => `    <${key}>${value}</${key}>`),
    `  </${name}>`,
  ]);
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<${root}>`, ...lines, `</${root}>`, ''].join('\n');
}
