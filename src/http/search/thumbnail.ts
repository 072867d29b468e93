import type { FieldFilter, FieldValue } from '../../catalog/index.ts';
import { RENDER_ROOT } from '../request/render-path.ts';

/** The address of a thumbnail: the provider's as it stands, ours behind our own address. Like `tms` it holds no key. */
export const toThumbnailAddress = (stored: string, publicUrl: string): string =>
  /^https?:/.test(stored) ? stored : `${publicUrl}${RENDER_ROOT}${stored}`;

/** A filter by addresses as hits show them, as one by what the catalog stores. */
export function toStoredThumbnails(filter: FieldFilter, publicUrl: string): FieldFilter {
  const root = `${publicUrl}${RENDER_ROOT}`;
  const toStored = (value: FieldValue): FieldValue =>
    typeof value === 'string' && value.startsWith(root) ? value.slice(root.length) : value;
  if (filter.kind === 'one-of') return { ...filter, values: filter.values.map(toStored) };
  const { from, to, ...rest } = filter;
  return {
    ...rest,
    ...(from === undefined ? {} : { from: toStored(from) }),
    ...(to === undefined ? {} : { to: toStored(to) }),
  };
}
