import type { BandRole } from '../../../sensors/index.ts';
import type { ItemKind } from './collections.ts';

/** How items write a band, and how its sensor does (`$1` is what the pattern's group holds). */
export interface BandSpelling {
  readonly pattern: RegExp;
  readonly band: string;
}

/**
 * Spellings of bands in names of bands, of assets, and of files (there without folder and extension), by the kind of
 * product. Generic names (`red`) and the sensor's own spellings need no entry.
 */
export const bandSpellings: Readonly<Record<ItemKind, readonly BandSpelling[]>> = {
  'sentinel-2': [
    // `B04`, `B04_10m`, `T35MNM_20200731T080611_B04_10m`
    { pattern: /(?:^|_)(B(?:0[1-9]|1[0-2]|8A))(?:_\d{2}m)?(?:-jp2)?$/, band: '$1' },
    { pattern: /(?:^|_)scl(?:_\d{2}m)?(?:-jp2)?$/i, band: 'SCL' },
    { pattern: /^(blue|green|red|rededge[123]|nir|swir1|swir2|coastal)(?:_\d{2}m)?(?:-jp2)?$/, band: '$1' },
  ],
  landsat: [
    // `SR_B4`, `OLI_B4`, `SR_B4.TIF`, `LE07_…_02_T1_B6_VCID_1`
    {
      pattern: /(?:^|_)(?:(?:SR|ST|OLI|TIRS|ETM|TM|MSS)_)?(B(?:[1-9]|1[01])(?:_VCID_[12])?)(?:\.TIF)?$/,
      band: '$1',
    },
    { pattern: /(?:^|_)qa_pixel(?:\.TIF)?$/i, band: 'BQA' },
  ],
  'sentinel-1': [
    { pattern: /(?:^|-)vv(?:-|$)/i, band: 'VV' },
    { pattern: /(?:^|-)vh(?:-|$)/i, band: 'VH' },
    { pattern: /(?:^|-)hh(?:-|$)/i, band: 'HH' },
    { pattern: /(?:^|-)hv(?:-|$)/i, band: 'HV' },
  ],
  modis: [
    { pattern: /(?:^|_)Nadir_Reflectance_Band([1-7])$/, band: 'B0$1' },
    { pattern: /(?:^|_)BRDF_Albedo_Band_Mandatory_Quality_Band([1-7])$/, band: 'B0$1qa' },
    { pattern: /(?:^|_)(B0[1-7](?:qa)?)$/, band: '$1' },
  ],
  naip: [],
  'cbers-4': [{ pattern: /(?:^|_)B(?:AND)?([1-8]|1[3-6])$/, band: 'BAND$1' }],
};

/** Common names of the EO extension and what they can mean, the likeliest first; the wavelength decides between them. */
export const rolesByCommonName: Readonly<Record<string, readonly BandRole[]>> = {
  coastal: ['COASTAL'],
  blue: ['BLUE'],
  green: ['GREEN'],
  red: ['RED'],
  rededge: ['REDEDGE1', 'REDEDGE2', 'REDEDGE3'],
  rededge071: ['REDEDGE1'],
  rededge075: ['REDEDGE2'],
  rededge078: ['REDEDGE3'],
  pan: ['PAN'],
  nir: ['NIR', 'NIR2'],
  nir08: ['NIR2', 'NIR'],
  nir09: ['WATERVAPOUR'],
  cirrus: ['CIRRUS'],
  swir16: ['SWIR1'],
  swir22: ['SWIR2'],
  lwir: ['THERMAL1'],
  lwir11: ['THERMAL1'],
  lwir12: ['THERMAL2'],
};

/** Files of several bands, which are pictures made of bands everywhere else. */
export const multiBandKinds: readonly ItemKind[] = ['naip'];

/** Their bands when an item does not name them. */
export const naipBands = ['R', 'G', 'B', 'N'] as const;
