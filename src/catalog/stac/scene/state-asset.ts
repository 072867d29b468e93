import { unsupported } from '../../../errors.ts';
import { makeProjection } from '../../../proj/index.ts';
import type { PixelType } from '../../../raster/index.ts';
import type { Asset } from '../../asset.ts';
import type { StacPlacement } from '../../item/placement.ts';
import { toPlacement } from '../../item/placement.ts';
import type { PlannedBand, PlannedItem } from './plan-item.ts';

/**
 * The asset of a file from the fields of its item, unread; null if fields are missing. Items do not list the overviews of
 * a file, so a picture of the whole scene will be slow, or refused.
 */
export function stateAsset({ found, href }: PlannedBand, { item, facts, known }: PlannedItem): Asset | null {
  const { band, stated, bandIndex, asset } = found;
  const placement = facts.isPlacedByFile ? null : toPlacement(asset, item);
  if (placement === null) return null;
  if (known.rules.bandsInImage === undefined && !fits(placement, band.resolutionM)) return null;
  const { crs, transform, width, height } = placement;
  // Throws for an unsupported reference system.
  makeProjection(crs, 4326);
  const nodata = stated?.nodata ?? band.nodata;
  return {
    href,
    bandIndex,
    ...(typeof crs === 'number' ? { epsg: crs } : { epsg: 0, proj: crs }),
    transform,
    width,
    height,
    type: toPixelType(stated?.dataType ?? band.type),
    // Records are JSON, which cannot express other numbers; NaN is never data anyway.
    nodata: nodata !== null && Number.isFinite(nodata) ? nodata : null,
    ...facts.scaleOf(found),
    overviews: [],
  };
}

/** Defaults of the item are wrong for a file with another pixel size, such as the panchromatic band. */
function fits({ transform, isOwn }: StacPlacement, resolutionM: number): boolean {
  const ratio = Math.hypot(transform[1], transform[4]) / resolutionM;
  return isOwn || (ratio > 0.75 && ratio < 1.34);
}

function toPixelType(type: string): PixelType {
  if (type === 'uint8' || type === 'uint16' || type === 'int16' || type === 'float32') return type;
  throw unsupported('pixel-type', `Its pixels are of the type ${type.slice(0, 20)}, which no product has.`);
}
