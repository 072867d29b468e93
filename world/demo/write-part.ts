import { writeTerrain } from '../grids/write-terrain.ts';
import { writeWeather } from '../grids/write-weather.ts';
import { writeCbers4 } from '../products/cbers4/write-cbers4.ts';
import { writeLandsat } from '../products/landsat/write-landsat.ts';
import { writeModis } from '../products/modis/write-modis.ts';
import { writeNaip } from '../products/naip/write-naip.ts';
import type { ProductDeps } from '../products/product-deps.ts';
import { writeSentinel1 } from '../products/sentinel1/write-sentinel1.ts';
import { writeSentinel2L1c } from '../products/sentinel2/write-sentinel2-l1c.ts';
import { writeSentinel2L2a } from '../products/sentinel2/write-sentinel2-l2a.ts';
import type { DemoPart } from './demo-part.ts';

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
