import type { Colormap, ColormapReference } from '../../color/index.ts';
import { unknownColormap } from '../../color/index.ts';
import type { Colormaps } from '../../colormaps/index.ts';

/** The colormap of a name or id. */
export async function findColormap(reference: ColormapReference, colormaps: Colormaps): Promise<Colormap> {
  if (reference.kind === 'named') return reference;
  const content = await colormaps.find(reference.id);
  if (content === null) throw unknownColormap(reference.id);
  return { kind: 'custom', content, isReversed: reference.isReversed };
}
