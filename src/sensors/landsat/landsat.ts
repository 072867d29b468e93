import type { Calibration } from '../definition/calibration.ts';
import { commonFields, flags, geometries, numbers, texts, words } from '../definition/hit-fields.ts';
import type { NaturalLook } from '../definition/natural.ts';
import { surfaceRanges, thermalRanges, topOfAtmosphereRanges } from '../definition/natural.ts';
import type { ProductLayout } from '../definition/sensor.ts';
import type { LandsatName } from './names.ts';
import { toLandsatGrammar } from './names.ts';
import { landsatPalettes, landsatQuality } from './quality.ts';

/** Fields of a Landsat hit: those of docs/use/interface.md, then others that clients read. */
const hit = [
  ...commonFields,
  ...texts('productID'),
  ...numbers('cloudCoverage', 'sunElevation', 'dataCoveragePercentage'),
  ...words('storedInCollection'),
  ...numbers('path', 'row'),
  ...words('sensor'),
  ...flags('onAmazon', 'onGoogle'),
  ...words('dayOrNight', 'satelliteName'),
  ...numbers('sunAzimuth'),
  ...texts('sceneStartTime', 'sceneStopTime', 'thumbnail'),
  ...geometries('dataGeometry'),
];

/** The scale of all level-2 products of collection 2 (USGS, Collection 2 Level 2 Science Product Guide). */
const surfaceReflectance: Calibration = {
  kind: 'scaled',
  quantity: 'reflectance',
  scale: { mult: 0.0000275, add: -0.2 },
};
const surfaceTemperature: Calibration = {
  kind: 'scaled',
  quantity: 'kelvin',
  scale: { mult: 0.00341802, add: 149 },
};

/** Products of the surface, by the level in their names. */
const SURFACE_LEVELS = ['L2SP', 'L2SR'];

interface Shipped {
  readonly layout: string;
  readonly id: string;
  /** Spellings of the bands in file names, as alternatives of a pattern. */
  readonly bands: string;
  readonly more: Pick<ProductLayout, 'quality' | 'bandNames' | 'calibration'>;
}

/** Product layouts of a Landsat sensor over time; `bands` are alternatives of a pattern: `B[1-7]`. */
function toLayouts(
  { instruments, satellite }: LandsatName,
  { bands, level2Bands }: { readonly bands: string; readonly level2Bands: string | null },
): readonly ProductLayout[] {
  const start = `L[${instruments.join('')}]`;
  const product = (level: string, collection: string) =>
    `${start}0${satellite}_${level}_\\d{6}_\\d{8}_\\d{8}_${collection}_(?:T1|T2|RT)`;
  const toLayout = ({ layout, id, bands: spelled, more }: Shipped): ProductLayout => ({
    name: `landsat${satellite}-${instruments.join('').toLowerCase()}-${layout}`,
    marker: new RegExp(`^(?<id>${id})_MTL\\.(?:txt|json|xml)$`),
    bandFile: new RegExp(`^(?<id>${id})_(?:S[RT]_)?(?<band>${spelled})\\.(?:TIF|tif)$`),
    files: {
      metadata: new RegExp(`^(?<id>${id})_MTL\\.(?:txt|json|xml)$`),
      'stac-item': new RegExp(`^(?<id>${id})_(?:S[RT]_)?stac\\.json$`),
      thumbnail: new RegExp(`^(?<id>${id})_thumb_large\\.jpeg$`),
    },
    ...more,
  });
  const older: readonly Shipped[] = [
    {
      layout: 'pre-collection',
      id: `${start}${satellite}\\d{13}[A-Z][A-Z0-9]{2}\\d{2}`,
      bands: `${bands}|BQA`,
      more: { quality: 'pre-collection' },
    },
    {
      layout: 'collection-1',
      id: product('L1(?:TP|GT|GS)', '01'),
      bands: `${bands}|BQA`,
      more: { quality: 'collection-1' },
    },
  ];
  const bandNames = { QA_PIXEL: 'BQA' };
  return [
    // Landsat 9 began after collection 1 had ended.
    ...(satellite === 9 ? [] : older.map(toLayout)),
    toLayout({
      layout: 'collection-2',
      id: product('L1(?:TP|GT|GS)', '02'),
      bands: `${bands}|QA_PIXEL`,
      more: { quality: 'collection-2', bandNames },
    }),
    ...(level2Bands === null
      ? []
      : [
          toLayout({
            layout: 'collection-2-level-2',
            id: product('L2(?:SP|SR)', '02'),
            bands: `${level2Bands}|QA_PIXEL`,
            more: {
              quality: 'collection-2',
              bandNames,
              calibration: {
                levels: SURFACE_LEVELS,
                reflective: surfaceReflectance,
                thermal: surfaceTemperature,
              },
            },
          }),
        ]),
  ];
}

/** The look of all Landsat sensors. Products of the surface have no light of the air in them. Bands of all levels can be calibrated. */
export const landsatLook: NaturalLook = {
  ranges: { ...topOfAtmosphereRanges, ...thermalRanges },
  stored: {},
  ofLevels: [{ levels: SURFACE_LEVELS, ranges: { ...surfaceRanges, ...thermalRanges } }],
};

/** What all Landsat sensors have in common: scene names, hits, the quality band and product layouts. */
export const toLandsat = (name: LandsatName, files: Parameters<typeof toLayouts>[1]) => ({
  family: 'landsat',
  sceneName: toLandsatGrammar(name),
  quality: landsatQuality,
  palettes: landsatPalettes,
  natural: landsatLook,
  hit,
  layouts: toLayouts(name, files),
});
