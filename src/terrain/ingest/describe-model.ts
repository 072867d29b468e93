import type { Dem } from '../dems/dem.ts';
import type { DemRun } from './dem-run.ts';
import { COPERNICUS_ATTRIBUTION } from './source/copernicus.ts';
import { toTile } from './source/name-model.ts';

/** What the catalog is to say of the model: by the options, as it was, or as the files ask for. */
export function describeModel({ options, source, dem, before }: DemRun, gaps: Dem['gaps']): Dem {
  const { order, attribution, now = () => new Date() } = options;
  const isCopernicus = source.items.some((item) => toTile(item) !== null);
  const asked = isCopernicus ? COPERNICUS_ATTRIBUTION : null;
  return {
    name: dem,
    order: order ?? before?.order ?? 0,
    gaps,
    attribution: attribution === undefined ? (before?.attribution ?? asked) : attribution,
    overviews: before?.overviews ?? [],
    ingestedAt: now().toISOString(),
  };
}
