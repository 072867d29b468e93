import type { Areas, KeptArea } from '../../areas/index.ts';
import { notFound } from '../../errors.ts';
import type { RenderOptions } from '../../render/index.ts';

/** The answer to a cropper_ref that names no area, or none that the caller may change. */
export const unknownArea = (): Error => notFound('unknown-area', 'There is no area with this cropper_ref.');

/** The area of a cropper_ref. */
export async function findArea(ref: string, areas: Areas): Promise<KeptArea> {
  const area = await areas.find(ref);
  if (area === null) throw unknownArea();
  return area;
}

/** The same as the renderer takes it; null when no area is named. */
export async function findCrop(ref: string | null, areas: Areas): Promise<RenderOptions['area']> {
  return ref === null ? null : { ref, outline: (await findArea(ref, areas)).outline };
}
