import { unsupported } from '../../../errors.ts';
import type { BlockFile } from '../../../formats/block-file/index.ts';

/** Units of heights that an operator can name: metre, international foot, US survey foot. */
export type HeightUnit = 'm' | 'ft' | 'us-ft';

const METRES: Readonly<Record<HeightUnit, number>> = { m: 1, ft: 0.3048, 'us-ft': 1200 / 3937 };

/** By EPSG code. */
const CODED: ReadonlyMap<number, number> = new Map([
  [9001, METRES.m],
  [9002, METRES.ft],
  [9003, METRES['us-ft']],
]);

/** By the words that GDAL, PROJ and Esri write, in lower case and with single spaces. */
const SPELT: ReadonlyMap<string, number> = new Map([
  ...spell(METRES.m, ['m', 'metre', 'metres', 'meter', 'meters']),
  ...spell(METRES.ft, ['ft', 'foot', 'feet', 'international foot', 'international feet', 'foot intl']),
  ...spell(METRES['us-ft'], ['us ft', 'ftus', 'usft', 'us foot', 'us feet', 'foot us']),
  ...spell(METRES['us-ft'], ['us survey foot', 'us survey feet', 'survey foot', 'survey feet']),
  ...spell(0.1, ['dm', 'decimetre', 'decimeter']),
  ...spell(0.01, ['cm', 'centimetre', 'centimeter']),
  ...spell(1000, ['km', 'kilometre', 'kilometer']),
]);

function spell(metres: number, words: readonly string[]): (readonly [string, number])[] {
  return words.map((word) => [word, metres]);
}

/**
 * The metres of one unit of a file's heights: by the operator, by the band itself, or by the georeference, in this
 * order; metres if none of them says it. A unit that we do not know throws `height-unit`.
 */
export function findMetresPerUnit(
  file: Pick<BlockFile, 'bands' | 'verticalUnit'>,
  bandIndex: number,
  stated: HeightUnit | null,
): number {
  if (stated !== null) return METRES[stated];
  const text = file.bands[bandIndex]?.unit ?? null;
  if (text !== null) {
    return SPELT.get(text.toLowerCase().replace(/[\s_-]+/g, ' ')) ?? refuse(`"${text.slice(0, 40)}"`);
  }
  if (file.verticalUnit === null) return METRES.m;
  return CODED.get(file.verticalUnit) ?? refuse(`EPSG:${file.verticalUnit}`);
}

function refuse(unit: string): never {
  throw unsupported(
    'height-unit',
    `Its heights are in the unit ${unit}, which is unknown; --unit names one.`,
  );
}
