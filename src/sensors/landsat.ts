import type { LandsatName } from './landsat-names.ts';
import { toLandsatGrammar } from './landsat-names.ts';
import { landsatHit, toLandsatLayouts } from './landsat-products.ts';
import { landsatPalettes, landsatQuality } from './landsat-quality.ts';

/** What all Landsats have in common: how scenes are called, hits, the quality band and how products are shipped. */
export const toLandsat = (name: LandsatName, files: Parameters<typeof toLandsatLayouts>[1]) => ({
  sceneName: toLandsatGrammar(name),
  quality: landsatQuality,
  palettes: landsatPalettes,
  hit: landsatHit,
  layouts: toLandsatLayouts(name, files),
});
