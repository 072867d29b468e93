import { toHeaderXml } from './annotation-xml.ts';
import { toFloatText, toListXml, toTimeText } from './number-text.ts';
import type { ProductFacts } from './product-facts.ts';
import type { SigmaTable } from './sigma-table.ts';

/** What the tables of one polarisation are written from. */
interface Tables {
  readonly facts: ProductFacts;
  readonly polarisation: 'VV' | 'VH';
  readonly table: SigmaTable;
}

const toFloats = (values: readonly number[]): string[] => values.map((value) => toFloatText(value));

/** The lists of a table under a name of their own, for each of its lines the same. */
function toVectors(
  name: string,
  lists: readonly string[],
  { facts, table }: Pick<Tables, 'facts' | 'table'>,
): string[] {
  return table.lines.map(
    (line) => `    <${name}>
      <azimuthTime>${toTimeText(facts.startMs + line * facts.lineMs)}</azimuthTime>
      <line>${line}</line>
      ${lists.join('\n      ')}
    </${name}>`,
  );
}

/** `annotation/calibration/calibration-….xml`. */
export function toCalibrationXml({ facts, polarisation, table }: Tables): string {
  const { pixels, sigmaNought, betaNought, gamma } = table;
  const lists = [
    toListXml('pixel', pixels),
    toListXml('sigmaNought', toFloats(sigmaNought)),
    toListXml('betaNought', toFloats(betaNought)),
    toListXml('gamma', toFloats(gamma)),
    toListXml('dn', toFloats(betaNought)),
  ];
  const vectors = toVectors('calibrationVector', lists, { facts, table });
  return `<?xml version="1.0" encoding="UTF-8"?>
<calibration>
  ${toHeaderXml(facts, polarisation)}
  <calibrationInformation>
    <absoluteCalibrationConstant>1.000000e+00</absoluteCalibrationConstant>
  </calibrationInformation>
  <calibrationVectorList count="${vectors.length}">
${vectors.join('\n')}
  </calibrationVectorList>
</calibration>
`;
}

/** The instrument's own noise as sigma nought, -25 dB: what `backscatter` adds to echoes. */
const NOISE_FLOOR = 0.0032;

/** `annotation/calibration/noise-….xml`: what the noise adds to the square of amplitudes. */
export function toNoiseXml(
  { facts, polarisation, table }: Tables,
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const { pixels, sigmaNought } = table;
  const lists = [
    toListXml('pixel', pixels),
    toListXml('noiseRangeLut', toFloats(sigmaNought.map((factor) => NOISE_FLOOR * factor * factor))),
  ];
  const vectors = toVectors('noiseRangeVector', lists, { facts, table });
  return `<?xml version="1.0" encoding="UTF-8"?>
<noise>
  ${toHeaderXml(facts, polarisation)}
  <noiseRangeVectorList count="${vectors.length}">
${vectors.join('\n')}
  </noiseRangeVectorList>
  <noiseAzimuthVectorList count="1">
    <noiseAzimuthVector>
      <swath>IW</swath>
      <firstAzimuthLine>0</firstAzimuthLine>
      <firstRangeSample>0</firstRangeSample>
      <lastAzimuthLine>${height - 1}</lastAzimuthLine>
      <lastRangeSample>${width - 1}</lastRangeSample>
      ${toListXml('line', [0, height - 1])}
      ${toListXml('noiseAzimuthLut', toFloats([1, 1]))}
    </noiseAzimuthVector>
  </noiseAzimuthVectorList>
</noise>
`;
}
