import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSwathError } from '../../../errors.ts';
import { toAddressOrigin } from '../../../storage/index.ts';
import type { StacAsset, StacItem } from '../../item/item.ts';

/** Where the document of an item was: relative addresses count from there. */
export type DocumentOrigin =
  | { readonly kind: 'url'; readonly url: string }
  /** The folder of a file on this machine. */
  | { readonly kind: 'folder'; readonly folder: string };

/** What scenes may refer to. */
export interface AddressRules {
  /** Whether a scene may name an http(s) or s3 address. */
  readonly isAllowedHref: (href: string) => boolean;
  /** What the catalog writes down for a file of this machine; throws `not-allowed` for one outside of its folders. */
  readonly toHref: (path: string) => string;
}

/** An address that may be used; or the sources that would have to be allowed first. */
export type ChosenAddress =
  | { readonly href: string }
  | { readonly href: null; readonly needed: readonly string[] };

/**
 * The first address of a file that is allowed, without the signature that made it valid for an hour. Amazon's https
 * addresses are also tried as `s3://`, which is what a bucket is allowed by.
 */
export function chooseAddress(
  asset: StacAsset,
  { item, origin, rules }: { item: StacItem; origin: DocumentOrigin; rules: AddressRules },
): ChosenAddress {
  const whole = asset.hrefs.flatMap((href) => resolveHref(href, item, origin) ?? []).map(withoutSignature);
  const needed: string[] = [];
  for (const address of [...whole, ...whole.flatMap((one) => toS3(one) ?? [])]) {
    const isFile = posix.isAbsolute(address);
    const href = isFile ? tryFile(address, rules) : rules.isAllowedHref(address) ? address : null;
    if (href !== null) return { href };
    needed.push(isFile ? posix.dirname(address) : sourceOf(address));
  }
  return { href: null, needed: [...new Set(needed)] };
}

/** An absolute address, or the absolute path of a file; null for what is neither. */
function resolveHref(href: string, { self }: StacItem, origin: DocumentOrigin): string | null {
  if (/^s3:\/\//.test(href)) return href;
  if (/^[a-z][a-z0-9+.-]+:/i.test(href)) {
    // A document from elsewhere has no business with files of this machine.
    if (/^file:/i.test(href)) return origin.kind === 'folder' ? toPath(href) : null;
    const url = /^https?:/i.test(href) ? URL.parse(href) : null;
    return url === null ? null : url.href;
  }
  if (origin.kind === 'folder') return posix.resolve(origin.folder, decode(href));
  const base = self !== null && /^https?:/.test(self) ? self : origin.url;
  return URL.parse(href, base)?.href ?? null;
}

function toPath(href: string): string | null {
  try {
    return fileURLToPath(href);
  } catch {
    return null;
  }
}

function decode(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

function tryFile(path: string, { toHref }: AddressRules): string | null {
  try {
    return toHref(path);
  } catch (error) {
    if (isSwathError(error) && error.tag === 'not-allowed') return null;
    throw error;
  }
}

/** Names by which stores sign addresses: Azure, Amazon (both ways), Google, CloudFront. */
const SIGNATURE =
  /^(?:s[vtreip]|sig|spr|sk[setv]|skoid|sktid|x-amz-.*|x-goog-.*|awsaccesskeyid|googleaccessid|signature|expires|policy|key-pair-id)$/i;

/** An address without the parts that make it valid for a time: with them each look would make another record. */
export function withoutSignature(href: string): string {
  const url = /^https?:/.test(href) && href.includes('?') ? URL.parse(href) : null;
  if (url === null) return href;
  const names = [...url.searchParams.keys()];
  if (!names.some((name) => /^(?:sig|signature|x-(?:amz|goog)-signature)$/i.test(name))) return href;
  for (const name of names) if (SIGNATURE.test(name)) url.searchParams.delete(name);
  return url.href;
}

function toS3(href: string): string | null {
  const url = /^https:/.test(href) ? URL.parse(href) : null;
  if (url === null || url.search !== '') return null;
  const path = decode(url.pathname.slice(1));
  const bucket = /^([a-z0-9.-]{3,63})\.s3(?:[.-][a-z0-9-]+)?\.amazonaws\.com$/.exec(url.hostname)?.[1];
  if (bucket !== undefined) return `s3://${bucket}/${path}`;
  return /^s3(?:[.-][a-z0-9-]+)?\.amazonaws\.com$/.test(url.hostname) ? `s3://${path}` : null;
}

/** What to add to SWATH_SOURCES for it. */
const sourceOf = (href: string): string => toAddressOrigin(href) ?? 'an address';
