import type { FieldFilter, FieldValue } from '../../catalog/index.ts';
import { RENDER_ROOT } from '../request/render-path.ts';

/** The address of a thumbnail: the provider's as it stands, ours behind our own address. Like `tms` it holds no key. */
export const toThumbnailAddress = (kept: string, publicUrl: string): string =>
  /^https?:/.test(kept) ? kept : `${publicUrl}${RENDER_ROOT}${kept}`;

/** A filter by addresses as hits show them, as one by what the catalog keeps. */
export function toKeptThumbnails(filter: FieldFilter, publicUrl: string): FieldFilter {
  const root = `${publicUrl}${RENDER_ROOT}`;
  const toKept = (value: FieldValue): FieldValue =>
    typeof value === 'string' && value.startsWith(root) ? value.slice(root.length) : value;
  if (filter.kind === 'one-of') return { ...filter, values: filter.values.map(toKept) };
  const { from, to, ...rest } = filter;
  return {
    ...rest,
    ...(from === undefined ? {} : { from: toKept(from) }),
    ...(to === undefined ? {} : { to: toKept(to) }),
  };
}
