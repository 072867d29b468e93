import type { Sensor } from './sensor.ts';

/** Two digits without a leading zero where the grammar wants a plain number. */
const PLAIN_NUMBER = /^(0|[1-9]\d{0,3})$/;

/** `{utm zone}/{latitude band}/{100 km square}/{year}/{month}/{day}/{sequence}`, interface 2.2. */
function parseSceneName(segments: readonly string[]): readonly string[] | null {
  const [zone = '', band = '', square = '', year = '', month = '', day = '', sequence = ''] = segments;
  if (segments.length !== 7) return null;
  if (![zone, year, month, day, sequence].every((text) => PLAIN_NUMBER.test(text))) return null;
  if (Number(zone) < 1 || Number(zone) > 60) return null;
  // MGRS leaves out I and O, which look like digits; the square's second letter ends at V.
  if (!/^[C-HJ-NP-X]$/.test(band) || !/^[A-HJ-NP-Z][A-HJ-NP-V]$/.test(square)) return null;
  if (!/^\d{4}$/.test(year) || !isDate(Number(year), Number(month), Number(day))) return null;
  return segments;
}

function isDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Sentinel-2 Level-1C: top-of-atmosphere reflectance. Band centres of Sentinel-2A: ESA, MSI spectral responses. */
export const sentinel2: Sensor = {
  dataset: 'sentinel2',
  abbreviation: 'S2',
  title: 'Sentinel-2 L1C',
  sceneName: { segments: 7, parse: parseSceneName },
  bands: [
    { name: 'B01', role: 'COASTAL', centreNm: 442.7, resolutionM: 60 },
    { name: 'B02', role: 'BLUE', centreNm: 492.7, resolutionM: 10 },
    { name: 'B03', role: 'GREEN', centreNm: 559.8, resolutionM: 10 },
    { name: 'B04', role: 'RED', centreNm: 664.6, resolutionM: 10 },
    { name: 'B05', role: 'REDEDGE1', centreNm: 704.1, resolutionM: 20 },
    { name: 'B06', role: 'REDEDGE2', centreNm: 740.5, resolutionM: 20 },
    { name: 'B07', role: 'REDEDGE3', centreNm: 782.8, resolutionM: 20 },
    { name: 'B08', role: 'NIR', centreNm: 832.8, resolutionM: 10 },
    { name: 'B8A', role: 'NIR2', centreNm: 864.7, resolutionM: 20 },
    { name: 'B09', role: 'WATERVAPOUR', centreNm: 945.1, resolutionM: 60 },
    { name: 'B10', role: 'CIRRUS', centreNm: 1373.5, resolutionM: 60 },
    { name: 'B11', role: 'SWIR1', centreNm: 1613.7, resolutionM: 20 },
    { name: 'B12', role: 'SWIR2', centreNm: 2202.4, resolutionM: 20 },
  ],
  defaultComposition: ['B04', 'B03', 'B02'],
  // From baseline 04.00 on (25 January 2022) digital numbers carry +1000.
  removesOffset: true,
  hitFields: {
    sceneID: 'string',
    date: 'date',
    timestamp: 'string',
    cloudCoverage: 'number',
    dataCoveragePercentage: 'number',
    sunElevation: 'number',
    zenithAngle: 'number',
    azimuthAngle: 'number',
    utmZone: 'number',
    latitudeBand: 'string',
    gridSquare: 'string',
    satelliteName: 'string',
    productName: 'string',
    productPath: 'string',
    productMetaLink: 'string',
    originalSceneID: 'string',
    originalTileMeta: 'string',
    awsPath: 'string',
    awsPathL2A: 'string',
    processedL2A: 'boolean',
    thumbnail: 'string',
    offsetXmlKey: 'string',
    archivingTime: 'string',
    IndexingTime: 'string',
    onAmazon: 'boolean',
  },
};
