import { cos, sin, toRadians } from '../../numbers/steady-math.ts';
import { toHeaderXml } from './annotation-xml.ts';
import type { RadarPass } from './plan.ts';
import type { ProductFacts } from './product-facts.ts';
import { toFloatText, toListXml, toTimeText } from './product-facts.ts';

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

/** What amplitudes are divided by, for every so many pixels, the same on all lines. */
interface SigmaTable {
  readonly pixels: readonly number[];
  readonly lines: readonly number[];
  readonly sigmaNought: readonly number[];
  readonly betaNought: readonly number[];
  readonly gamma: readonly number[];
}

/** The processor's constant of real products. */
const BETA_NOUGHT = 474;
/** Real tables have a value every 400 m and a line every second of flight, and end behind the image. */
const PIXEL_STEP_M = 400;
const LINE_STEP_M = 6_670;

const toSteps = (count: number, step: number): number[] =>
  Array.from({ length: Math.ceil((count - 1) / step) + 1 }, (_, i) => i * step);

/** The table of an image; its numbers are those that its text holds, to seven digits. */
export function toSigmaTable({ width, height, spacingM, incidenceDegAt }: RadarPass): SigmaTable {
  const pixels = toSteps(width, Math.max(1, Math.round(PIXEL_STEP_M / spacingM)));
  const over = (share: (angle: number) => number) =>
    pixels.map((pixel) =>
      Number(toFloatText(BETA_NOUGHT / Math.sqrt(share(toRadians(incidenceDegAt(pixel)))))),
    );
  return {
    pixels,
    lines: toSteps(height, Math.max(1, Math.round(LINE_STEP_M / spacingM))),
    // the slant range seen from above, and across the beam
    sigmaNought: over(sin),
    betaNought: pixels.map(() => BETA_NOUGHT),
    gamma: over((angle) => sin(angle) / cos(angle)),
  };
}

/** The table's value for each pixel of a line, straight between its entries. */
export function toLineOfFactors({ pixels, sigmaNought }: SigmaTable, width: number): Float64Array {
  const step = pixels[1]! - pixels[0]!;
  return new Float64Array(width).map((_, pixel) => {
    const cell = Math.min(pixels.length - 2, Math.floor(pixel / step));
    const part = (pixel - pixels[cell]!) / step;
    return sigmaNought[cell]! + part * (sigmaNought[cell + 1]! - sigmaNought[cell]!);
  });
}
