import type { TerrainSeconds } from '../grids/write-terrain.ts';
import { writeTerrain } from '../grids/write-terrain.ts';
import { writeWeather } from '../grids/write-weather.ts';
import type { Cbers4Plan } from '../products/cbers4/plan.ts';
import { writeCbers4 } from '../products/cbers4/write-cbers4.ts';
import type { LandsatPlan } from '../products/landsat/write-landsat.ts';
import { writeLandsat } from '../products/landsat/write-landsat.ts';
import type { ModisPlan } from '../products/modis/write-modis.ts';
import { writeModis } from '../products/modis/write-modis.ts';
import type { NaipPlan } from '../products/naip/plan.ts';
import { writeNaip } from '../products/naip/write-naip.ts';
import type { ProductDeps } from '../products/product-deps.ts';
import type { Sentinel1Plan } from '../products/sentinel1/plan.ts';
import { writeSentinel1 } from '../products/sentinel1/write-sentinel1.ts';
import type { Sentinel2L1cPlan, Sentinel2L2aPlan } from '../products/sentinel2/plan.ts';
import { writeSentinel2L1c } from '../products/sentinel2/write-sentinel2-l1c.ts';
import { writeSentinel2L2a } from '../products/sentinel2/write-sentinel2-l2a.ts';
import type { DemoPart as Part } from './build-demo.ts';

/** What a part is: a product of a provider, or grids that belong to no scene. */
type PartContent =
  | { readonly kind: 'sentinel2-l1c'; readonly plan: Sentinel2L1cPlan }
  | { readonly kind: 'sentinel2-l2a'; readonly plan: Sentinel2L2aPlan }
  | { readonly kind: 'landsat'; readonly plan: LandsatPlan }
  | { readonly kind: 'modis'; readonly plan: ModisPlan }
  | { readonly kind: 'naip'; readonly plan: NaipPlan }
  | { readonly kind: 'cbers4'; readonly plan: Cbers4Plan }
  | { readonly kind: 'sentinel1'; readonly plan: Sentinel1Plan }
  | { readonly kind: 'terrain'; readonly plan: { readonly seconds: TerrainSeconds } }
  | { readonly kind: 'weather'; readonly plan: null };

/** A part of the demo; plain JSON, so that it can be handed to a thread. */
export type DemoPart = Part & PartContent;

/** Whether a part is a scene for the catalog. */
export const isScene = ({ kind }: DemoPart): boolean => kind !== 'terrain' && kind !== 'weather';

/** Writes the files of one part of the demo. */
export function writePart(part: DemoPart, deps: ProductDeps): Promise<void> {
  switch (part.kind) {
    case 'sentinel2-l1c':
      return writeSentinel2L1c(part.plan, deps);
    case 'sentinel2-l2a':
      return writeSentinel2L2a(part.plan, deps);
    case 'landsat':
      return writeLandsat(part.plan, deps);
    case 'modis':
      return writeModis(part.plan, deps);
    case 'naip':
      return writeNaip(part.plan, deps);
    case 'cbers4':
      return writeCbers4(part.plan, deps);
    case 'sentinel1':
      return writeSentinel1(part.plan, deps);
    case 'terrain':
      return writeTerrain({ ...deps, ground: deps.world.ground, ...part.plan });
    case 'weather':
      return writeWeather(deps.world, deps.directory);
  }
}
