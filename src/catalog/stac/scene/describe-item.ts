import type { ItemKind } from './collections.ts';
import { describeLandsat } from './describe-landsat.ts';
import { describeCbers, describeModis, describeNaip } from './describe-others.ts';
import { describeSentinel1 } from './describe-sentinel1.ts';
import { describeSentinel2 } from './describe-sentinel2.ts';
import type { Describe } from './item-facts.ts';

const describers: Readonly<Record<ItemKind, Describe>> = {
  'sentinel-2': describeSentinel2,
  landsat: describeLandsat,
  'sentinel-1': describeSentinel1,
  modis: describeModis,
  naip: describeNaip,
  'cbers-4': describeCbers,
};

/** Says which scene an item is, each kind of product in its own way. */
export const describeItem: Describe = (item, known, tools) => describers[known.kind](item, known, tools);
