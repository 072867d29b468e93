import type { FuzzTarget } from '../target.ts';
import { area, colormap, colors } from './colors-and-areas.ts';
import { expressions } from './expressions.ts';
import { grib } from './grib.ts';
import { inflate } from './inflate.ts';
import { jp2 } from './jp2.ts';
import { landsatMtl } from './landsat-mtl.ts';
import { netcdf } from './netcdf.ts';
import { tileInfo } from './product-json.ts';
import { productXml } from './product-xml.ts';
import { projection } from './projection.ts';
import { intensityQuery, query, renderPath, search, sharpenPattern } from './requests.ts';
import { shapeTargets } from './shapes.ts';
import { auxXml, worldFile } from './sidecars.ts';
import { stacItem } from './stac-item.ts';
import { tiff } from './tiff.ts';
import { tiffCodecs } from './tiff-codecs.ts';
import { viewId } from './view-id.ts';

/** Every parser that reads what we did not write. */
export const targets: readonly FuzzTarget[] = [
  tiff,
  tiffCodecs,
  inflate,
  jp2,
  netcdf,
  grib,
  worldFile,
  auxXml,
  projection,
  landsatMtl,
  productXml,
  tileInfo,
  stacItem,
  viewId,
  renderPath,
  query,
  intensityQuery,
  sharpenPattern,
  search,
  expressions,
  colors,
  colormap,
  area,
  ...shapeTargets,
];

/** The target of a name. */
export function targetByName(name: string): FuzzTarget {
  const target = targets.find((one) => one.name === name);
  if (target === undefined) {
    throw new Error(`There is no target ${name}; there are ${targets.map((one) => one.name).join(', ')}.`);
  }
  return target;
}
