import { functions } from '../../../src/bandmath/functions.ts';
import {
  describeExpressions,
  interpretTree,
  parseExpressions,
  tileLimits,
} from '../../../src/bandmath/index.ts';
import { sensorByAbbreviation, toExpressionNames } from '../../../src/sensors/index.ts';
import type { FuzzTarget } from '../target.ts';

/**
 * Band math: what is read has one meaning however it is spaced, can be taken apart and put together again, and can be
 * computed over a few pixels.
 */
export const expressions: FuzzTarget = {
  name: 'expressions',
  maxBytes: 2 * tileLimits.maxChars,
  tokens: [
    ...functions.keys(),
    ...['B04', 'B8', 'B8A', 'B12', 'NIR', 'red', 'NDVI', 'evi', 'FIDET', 'PR_FD', 'ISTACK', 'NODATA', 'pi'],
    ...['+', '-', '*', '/', '^', '**', '(', ')', ',', '((((((((', '))))))))', '--------', '^-', '2^', ' '],
    ...['0', '1', '2', '0.5', '.5', '1.', '1e38', '1e-45', '1e999', '16777217', '9'.repeat(320), '1e', '..'],
    ...['constructor', '__proto__', '`', '\0', '\u202e', 'В4', '٣', '\ud83d', '%2F', ';', '['],
  ],
  readSeeds: () =>
    [
      '(B08-B04)/(B08+B04)',
      'where(less(NDVI,0.2),NODATA,2.5*(nir-red)/(B8+6.0*B4-7.5*B02+1))',
      'B04^(1/2),B04**(1.0/2),-B8A^-2',
      'ISTACK',
      'PR_FD*2-FIDET',
      'clip(unwrap(arctan2(B02,B03)),-pi,pi)+allclose(B04,B05,1e-3,0.1)',
      'around(ldexp(B11,3),-2)/divmod(B12,nextafter(B01,7))',
      'logical_and(greater(B09,1),isclose(B10,811,1e-3)),1/2*B4,fmin(B06,NODATA)',
    ].map((text) => Buffer.from(text)),
  run(input) {
    const text = Buffer.from(input).toString();
    const names = toExpressionNames(sensorByAbbreviation('S2')!);
    const tree = parseExpressions(text, names);
    if (parseExpressions(`\t${text} `, names).key !== tree.key) throw new Error(`${text} depends on spaces`);

    const { expressions: parts, bands, types } = describeExpressions(text, names);
    if (parts.length !== tree.outputs.length || types.length !== parts.length)
      throw new Error(`${text} has lost a part`);
    if (bands.every(({ scene, needsReflectance }) => scene === 'this' && !needsReflectance)) {
      // letters mean bands again: what was taken apart is what it was
      const letters = new Map(bands.map(({ designator, bandId }) => [designator, bandId]));
      const find = (name: string) => {
        const bandId = letters.get(name);
        return bandId === undefined ? null : ({ kind: 'band', name: bandId, resolutionM: null } as const);
      };
      const limits = { ...tileLimits, maxChars: 100_000, maxDepth: 64 };
      const again = parseExpressions(parts.join(','), { find, all: [] }, limits);
      if (again.key !== tree.key) throw new Error(`${text} is taken apart as ${parts.join(',')}`);
    }

    const planes = interpretTree(tree, {
      width: 2,
      height: 2,
      bands: tree.inputs.map((_, index) => Float32Array.of(index, 0.5, -1e38, Number.NaN)),
      masks: tree.inputs.map((_, index) => (index === 0 ? Uint8Array.of(1, 0, 1, 1) : null)),
    });
    for (const { values, mask } of planes) {
      if (values.some((value, pixel) => Number.isNaN(value) && mask[pixel] !== 0))
        throw new Error(`${text} shows NaN`);
    }
  },
};
