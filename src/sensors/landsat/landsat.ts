import type { LandsatName } from './names.ts';
import { toLandsatGrammar } from './names.ts';
import { landsatHit, toLandsatLayouts } from './products.ts';
import { landsatPalettes, landsatQuality } from './quality.ts';

/** What all Landsat sensors have in common: scene names, hits, the quality band and product layouts. */
export const toLandsat = (name: LandsatName, files: Parameters<typeof toLandsatLayouts>[1]) => ({
  family: 'landsat',
  sceneName: toLandsatGrammar(name),
  quality: landsatQuality,
  palettes: landsatPalettes,
  hit: landsatHit,
  layouts: toLandsatLayouts(name, files),
});
