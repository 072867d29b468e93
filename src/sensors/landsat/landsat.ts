import type { LandsatName } from './names.ts';
import { toLandsatGrammar } from './names.ts';
import { landsatHit, toLandsatLayouts } from './products.ts';
import { landsatPalettes, landsatQuality } from './quality.ts';

/** What all Landsats have in common: how scenes are called, hits, the quality band and how products are shipped. */
export const toLandsat = (name: LandsatName, files: Parameters<typeof toLandsatLayouts>[1]) => ({
  family: 'landsat',
  sceneName: toLandsatGrammar(name),
  quality: landsatQuality,
  palettes: landsatPalettes,
  hit: landsatHit,
  layouts: toLandsatLayouts(name, files),
});
