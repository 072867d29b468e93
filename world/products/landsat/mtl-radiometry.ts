import type { MtlFacts } from './mtl-fields.ts';
import type { MtlGroup } from './mtl-text.ts';
import { bare, word } from './mtl-text.ts';

/** Ends and steps of the scales; the groups of collection 1, before which collection 2 writes the level. */
export function toRadiometry({ scales }: MtlFacts): MtlGroup[] {
  const sunlit = scales.flatMap((scale) =>
    scale.reflectance === null ? [] : [{ ...scale, reflectance: scale.reflectance }],
  );
  const warm = scales.flatMap(({ key, thermal }) => (thermal === null ? [] : [{ key, ...thermal }]));
  const thermal: MtlGroup = {
    name: 'THERMAL_CONSTANTS',
    fields: warm.flatMap(({ key, k1, k2 }) => [
      bare(`K1_CONSTANT_BAND_${key}`, k1),
      bare(`K2_CONSTANT_BAND_${key}`, k2),
    ]),
  };
  return [
    {
      name: 'MIN_MAX_RADIANCE',
      fields: scales.flatMap(({ key, radiance: { mult, add }, maxStored }) => [
        bare(`RADIANCE_MAXIMUM_BAND_${key}`, (mult * maxStored + add).toFixed(5)),
        bare(`RADIANCE_MINIMUM_BAND_${key}`, (mult + add).toFixed(5)),
      ]),
    },
    {
      name: 'MIN_MAX_REFLECTANCE',
      fields: sunlit.flatMap(({ key, reflectance: { mult, add }, maxStored }) => [
        bare(`REFLECTANCE_MAXIMUM_BAND_${key}`, (mult * maxStored + add).toFixed(6)),
        bare(`REFLECTANCE_MINIMUM_BAND_${key}`, (mult + add).toFixed(6)),
      ]),
    },
    {
      name: 'MIN_MAX_PIXEL_VALUE',
      fields: scales.flatMap(({ key, maxStored }) => [
        bare(`QUANTIZE_CAL_MAX_BAND_${key}`, maxStored),
        bare(`QUANTIZE_CAL_MIN_BAND_${key}`, 1),
      ]),
    },
    {
      name: 'RADIOMETRIC_RESCALING',
      fields: [
        ...scales.map(({ key, texts }) => bare(`RADIANCE_MULT_BAND_${key}`, texts.radianceMult)),
        ...scales.map(({ key, texts }) => bare(`RADIANCE_ADD_BAND_${key}`, texts.radianceAdd)),
        ...sunlit.map(({ key, texts }) => bare(`REFLECTANCE_MULT_BAND_${key}`, texts.reflectanceMult)),
        ...sunlit.map(({ key, texts }) => bare(`REFLECTANCE_ADD_BAND_${key}`, texts.reflectanceAdd)),
      ],
    },
    ...(warm.length === 0 ? [] : [thermal]),
  ];
}

/** How the instrument was set, where it could be. */
export function toGains({ mission: { lowGain }, scales }: MtlFacts): MtlGroup[] {
  if (lowGain === null) return [];
  const fields = scales.map(({ key }) => word(`GAIN_BAND_${key}`, lowGain.includes(key) ? 'L' : 'H'));
  return [{ name: 'PRODUCT_PARAMETERS', fields }];
}
