import { sourceBroken } from '../../../errors.ts';
import type { LonLat, Ring } from '../../../geo/index.ts';
import type { XmlElement } from '../../../xml/index.ts';
import { descendantsOf, elementAt, localName, parseXml, textAt } from '../../../xml/index.ts';
import { required, toNumber, toNumbers, toNumberWithin, toUtcTime } from '../../metadata/values.ts';

/** The metadata of a product: `MTD_MSIL1C.xml`, `MTD_MSIL2A.xml`, `S2A_OPER_MTD_SAFL1C_….xml`. */
export interface Sentinel2Product {
  readonly level: 'L1C' | 'L2A';
  /** Without the `.SAFE`; null if the file has another text there, as some of the first years do. */
  readonly productName: string | null;
  readonly baseline: string;
  readonly generatedAt: string | null;
  /** `Sentinel-2A`. */
  readonly spacecraft: string | null;
  readonly cloudPercent: number | null;
  /** The stored number of reflectance 1. */
  readonly quantification: number;
  /** Added to stored numbers before the division, by the band name of the file (`B1`, `B8A`); may be empty. */
  readonly offsets: Readonly<Record<string, number>>;
  /** Outline in longitude and latitude; null if the file has none. */
  readonly footprint: Ring | null;
}

/** Reads the metadata of a product. */
export function parseSentinel2Product(text: string, what: string): Sentinel2Product {
  const root = parseXml(text, what);
  const level = /^Level-(1C|2A)_User_Product$/.exec(localName(root))?.[1];
  const info =
    elementAt(root, 'General_Info/Product_Info') ?? elementAt(root, 'General_Info/L2A_Product_Info');
  const image =
    elementAt(root, 'General_Info/Product_Image_Characteristics') ??
    elementAt(root, 'General_Info/L2A_Product_Image_Characteristics');
  if (level === undefined || info === null || image === null) {
    throw sourceBroken('metadata-wrong-kind', `The file ${what} does not describe a product of Sentinel-2.`);
  }
  const uri = textAt(info, 'PRODUCT_URI') ?? textAt(info, 'PRODUCT_URI_2A') ?? '';
  const baseline = textAt(info, 'PROCESSING_BASELINE');
  return {
    level: level === '1C' ? 'L1C' : 'L2A',
    productName: /^(S2[A-D]_\w{1,200})(?:\.SAFE)?$/.exec(uri)?.[1] ?? null,
    baseline: required(/^\d{2}\.\d{2}$/.exec(baseline ?? '')?.[0], 'PROCESSING_BASELINE', what),
    generatedAt: toUtcTime(textAt(info, 'GENERATION_TIME')),
    spacecraft: textAt(info, 'Datatake/SPACECRAFT_NAME'),
    cloudPercent: toNumberWithin(textAt(root, 'Quality_Indicators_Info/Cloud_Coverage_Assessment'), [0, 100]),
    quantification: required(toQuantification(image), 'QUANTIFICATION_VALUE', what),
    offsets: toOffsets(image),
    footprint: toFootprint(root),
  };
}

/** Level 1C, Level 2A, and Level 2A of the first years have different names. */
function toQuantification(image: XmlElement): number | null {
  const names = [
    'QUANTIFICATION_VALUE',
    'QUANTIFICATION_VALUES_LIST/BOA_QUANTIFICATION_VALUE',
    'L1C_L2A_Quantification_Values_List/L2A_BOA_QUANTIFICATION_VALUE',
  ];
  const found = names.map((name) => textAt(image, name)).find((text) => text !== null);
  return toNumberWithin(found, [1, 1e6]);
}

/** Offsets refer to bands by number, which the list of spectra resolves. */
function toOffsets(image: XmlElement): Record<string, number> {
  const names = new Map(
    descendantsOf(image, 'Spectral_Information').map(({ attributes }) => [
      attributes.bandId,
      attributes.physicalBand,
    ]),
  );
  const given = [...descendantsOf(image, 'RADIO_ADD_OFFSET'), ...descendantsOf(image, 'BOA_ADD_OFFSET')];
  return Object.fromEntries(
    given.flatMap((element) => {
      const band = names.get(element.attributes.band_id ?? '');
      const offset = toNumber(element.text);
      return band === undefined || offset === null ? [] : [[band, offset]];
    }),
  );
}

/** Latitudes and longitudes alternate. */
function toFootprint(root: XmlElement): Ring | null {
  const numbers = toNumbers(descendantsOf(root, 'EXT_POS_LIST')[0]?.text ?? '');
  if (numbers === null || numbers.length < 8 || numbers.length % 2 !== 0) return null;
  const ring = Array.from(
    { length: numbers.length / 2 },
    (_, i): LonLat => [numbers[2 * i + 1]!, numbers[2 * i]!],
  );
  return ring.every(([lon, lat]) => Math.abs(lon) <= 180 && Math.abs(lat) <= 90) ? ring : null;
}
