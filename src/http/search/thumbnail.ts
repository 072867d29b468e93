import type { FieldFilter, FieldValue, SceneQuery, SceneStore } from '../../catalog/index.ts';
import { toSearchFields } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import { RENDER_ROOT } from '../kit/paths.ts';
import type { ThumbnailLinks } from '../pictures/thumbnail-links.ts';
import { parseSignedThumbnail } from '../pictures/thumbnail-links.ts';

/**
 * Which address hits give: `signed` is always ours, and works without a key; `provider` is the provider's where it has one,
 * and otherwise ours, signed; `off` is the provider's, or ours that needs a key.
 */
export type ThumbnailChoice = 'signed' | 'provider' | 'off';

/** What addresses of thumbnails are made of. */
export interface ThumbnailAddressDeps {
  readonly thumbnails: ThumbnailChoice;
  readonly readThumbnailLinks: () => Promise<ThumbnailLinks>;
}

/** The address of a scene's thumbnail, from what the catalog stores. It never holds a key. */
export type ToThumbnailAddress = (scene: { readonly stored: string; readonly viewId: string }) => string;

/** Builds it for the hits of a search. */
export async function makeToThumbnailAddress(
  { thumbnails, readThumbnailLinks }: ThumbnailAddressDeps,
  publicUrl: string,
): Promise<ToThumbnailAddress> {
  const links = thumbnails === 'off' ? null : await readThumbnailLinks().catch(withoutSecret);
  return ({ stored, viewId }) => {
    if (thumbnails !== 'signed' && isProviders(stored)) return stored;
    if (links !== null) return publicUrl + links.sign(viewId);
    return isProviders(stored) ? stored : `${publicUrl}${RENDER_ROOT}${stored}`;
  };
}

const isProviders = (stored: string): boolean => /^https?:/.test(stored);

/** A search also works without a secret: a read-only store may have none, and cannot get one. */
function withoutSecret(error: unknown): null {
  if (isSwathError(error)) return null;
  throw error;
}

/** A search by addresses as hits show them, as one by what the catalog stores. */
export async function toStoredThumbnails(
  query: SceneQuery,
  { publicUrl, scenes }: { readonly publicUrl: string; readonly scenes: Pick<SceneStore, 'findByViewId'> },
): Promise<SceneQuery> {
  const addresses = query.datasets
    .flatMap(({ filters }) => filters)
    .filter(({ field }) => field === 'thumbnail')
    .flatMap((filter): readonly unknown[] =>
      filter.kind === 'one-of' ? filter.values : [filter.from, filter.to],
    );
  if (addresses.length === 0) return query;
  const root = `${publicUrl}${RENDER_ROOT}`;
  const stored = new Map<unknown, FieldValue>();
  for (const address of new Set(addresses)) {
    if (typeof address !== 'string' || !address.startsWith(root)) continue;
    stored.set(address, await findStored(address.slice(root.length), scenes));
  }
  const toStored = <V extends FieldValue | undefined>(value: V) => (stored.get(value) ?? value) as V;
  const toStoredFilter = (filter: FieldFilter): FieldFilter => {
    if (filter.field !== 'thumbnail') return filter;
    if (filter.kind === 'one-of') return { ...filter, values: filter.values.map(toStored) };
    const { from, to, ...rest } = filter;
    return {
      ...rest,
      ...(from === undefined ? {} : { from: toStored(from) }),
      ...(to === undefined ? {} : { to: toStored(to) }),
    };
  };
  const datasets = query.datasets.map(({ id, filters }) => ({ id, filters: filters.map(toStoredFilter) }));
  return { ...query, datasets };
}

/** The stored thumbnail of the scene that a signed address names: the provider's address, or ours. */
async function findStored(below: string, scenes: Pick<SceneStore, 'findByViewId'>): Promise<FieldValue> {
  const signed = parseSignedThumbnail(below);
  const scene = signed === null ? null : await scenes.findByViewId(signed.viewId);
  return scene === null ? below : (toSearchFields(scene).thumbnail ?? below);
}
