import type { PackedColors } from '../rgb.ts';
import { toHexList } from '../rgb.ts';
import type { ColormapContent } from './colormap-content.ts';

/** Reds to greens for NDVI in steps of 0.05: the first for all below 0.05, the last from 0.95. */
export const NDVI_COLORS: PackedColors =
  'ad0028c5142ae02d2cef4c3afe6c4aff8d5affab69ffc67dffe093ffefab' +
  'fdfec2eaf7acd5ef94b9e3839bd87377ca6f53bd6b14aa60009755007e47';

const NDMI_COLORS: PackedColors =
  'af998cb49e95baa49ebfaaa8c5b0b2cbb6bcd0bbc5d6c1cfcbb9d2baadd3' +
  'a8a0d59894d68788d7767bd8646ed95362da4356db3249dc213ddd0f30de';

const MSAVI_COLORS: PackedColors =
  'ad0028fe6c4aff8d5affab69ffc67dffe093ffefabfdfec2eaf7acd5ef94' +
  'b9e3839bd87377ca6f53bd6b14aa60009755007e4700673a005530004728';

const RECI_COLORS: PackedColors =
  'a50026bc1626d62f26e54d34f46d43f88e52fcac60fdc675fee08bfeefa5' +
  'fefebdecf7a5d9ef8bbfe37aa4d86984ca6666bd633faa5919974f0c7e42';

/** Classes of equal width between two values; the last is open-ended, as in published lists. */
function toClasses(packed: PackedColors, min: number, max: number): ColormapContent {
  const colors = toHexList(packed);
  const stops = colors.map((color, i) => [at(min, max, i / colors.length), color] as const);
  return { colors: [...stops, [max, colors.at(-1)!]], type: 'discrete', thresholds_type: 'absolute' };
}

/** Without the noise of binary fractions: 0.15, not 0.15000000000000002. */
const at = (min: number, max: number, part: number): number =>
  Math.round((min + (max - min) * part) * 1e6) / 1e6;

/** Custom colormaps whose ids are hard-coded in clients: they exist from the start. */
const presets: ReadonlyMap<string, ColormapContent> = new Map([
  ['a9bc6eceeef2a13bb88a7f641dca3aa0', lowerFirst(toClasses(NDVI_COLORS, 0, 1))],
  // Not published; clients use it for NDVI with MIN_MAX=0,1.
  ['2b0040e4100279573a41138c8a30c1f2', toClasses(NDVI_COLORS, 0, 1)],
  ['a53f2c53d3cbc1d424c35ac8dc883644', toClasses(NDMI_COLORS, -1, 1)],
  ['5792d8fc39a4598f8a2c67b300982076', toClasses(MSAVI_COLORS, -1, 1)],
  ['fb5d32c26f571d52ea663a4a8f1e38e0', toClasses(RECI_COLORS, 0, 10)],
]);

/** NDVI begins at -1. */
function lowerFirst(content: ColormapContent): ColormapContent {
  const [first, ...others] = content.colors as readonly (readonly [number, string])[];
  return { ...content, colors: [[-1, first![1]], ...others] };
}

/** The preset of an id, or null. */
export const findPreset = (id: string): ColormapContent | null => presets.get(id) ?? null;
