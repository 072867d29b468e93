import type { Areas } from '../../areas/index.ts';
import type { Colormaps } from '../../colormaps/index.ts';
import type { RenderOptions } from '../../render/index.ts';
import { findCrop } from '../areas/find-area.ts';
import { findColormap } from '../colors/find-colormap.ts';
import type { PictureQuery } from './query.ts';

/** Where the things are that a query names by an id. */
export interface NamedThings {
  readonly areas: Areas;
  readonly colormaps: Colormaps;
}

/** What a query asks for, with the things it names. */
export async function findNamedThings(
  { options, color, colormap, areaRef }: PictureQuery,
  { areas, colormaps }: NamedThings,
): Promise<RenderOptions> {
  return {
    ...options,
    color: colormap === null ? color : { ...color, colormap: await findColormap(colormap, colormaps) },
    watermark: null,
    area: await findCrop(areaRef, areas),
  };
}
