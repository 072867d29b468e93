import type { Areas } from '../areas/index.ts';
import type { Colormap, ColormapReference } from '../color/index.ts';
import { unknownColormap } from '../color/index.ts';
import type { Colormaps } from '../colormaps/index.ts';
import { notFound } from '../errors.ts';
import type { RenderOptions } from '../render/index.ts';
import type { parsePictureQuery } from './picture-query.ts';

/** Where the things are that a query names by an id. */
export interface NamedThings {
  readonly areas: Areas;
  readonly colormaps: Colormaps;
}

/** What a query asks for, with the things it names. */
export async function findNamedThings(
  { options, color, colormap, areaRef }: ReturnType<typeof parsePictureQuery>,
  { areas, colormaps }: NamedThings,
): Promise<RenderOptions> {
  return {
    ...options,
    color: colormap === null ? color : { ...color, colormap: await findColormap(colormap, colormaps) },
    watermark: null,
    area: areaRef === null ? null : await findArea(areaRef, areas),
  };
}

/** The area of a cropper_ref. */
export async function findArea(ref: string, areas: Areas): Promise<NonNullable<RenderOptions['area']>> {
  const area = await areas.find(ref);
  if (area === null) throw notFound('unknown-area', 'There is no area with this cropper_ref.');
  return { ref, outline: area.outline };
}

/** The colormap of a name or id. */
export async function findColormap(reference: ColormapReference, colormaps: Colormaps): Promise<Colormap> {
  if (reference.kind === 'named') return reference;
  const content = await colormaps.find(reference.id);
  if (content === null) throw unknownColormap(reference.id);
  return { kind: 'custom', content, isReversed: reference.isReversed };
}
