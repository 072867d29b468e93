import type { Areas, KeptArea } from '../../areas/index.ts';
import { notFound } from '../../errors.ts';
import type { RenderOptions } from '../../render/index.ts';

/** The area of a cropper_ref. */
export async function findArea(ref: string, areas: Areas): Promise<KeptArea> {
  const area = await areas.find(ref);
  if (area === null) throw notFound('unknown-area', 'There is no area with this cropper_ref.');
  return area;
}

/** The same as the renderer takes it; null when no area is named. */
export async function findCrop(ref: string | null, areas: Areas): Promise<RenderOptions['area']> {
  return ref === null ? null : { ref, outline: (await findArea(ref, areas)).outline };
}
