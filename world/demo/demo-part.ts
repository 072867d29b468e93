import type { TerrainSeconds } from '../grids/write-terrain.ts';
import type { Cbers4Plan } from '../products/cbers4/plan.ts';
import type { LandsatPlan } from '../products/landsat/write-landsat.ts';
import type { ModisPlan } from '../products/modis/write-modis.ts';
import type { NaipPlan } from '../products/naip/plan.ts';
import type { Sentinel1Plan } from '../products/sentinel1/plan.ts';
import type { Sentinel2L1cPlan, Sentinel2L2aPlan } from '../products/sentinel2/plan.ts';
import type { DemoPart as Part } from './build-demo.ts';

/** What a part is: a product of a provider, or grids that belong to no scene. */
export type PartContent =
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
