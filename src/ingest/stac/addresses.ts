import { isAbsolute, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSwathError } from '../../errors.ts';
import { parseAllowedUrl, toAddressOrigin } from '../../net/index.ts';
import type { NetworkSources } from '../../sources/index.ts';
import { isDataHref, toFileHref } from '../../sources/index.ts';
import type { StacAsset, StacItem } from './item.ts';

/** The location of an item's document, the base of relative addresses. */
export type DocumentLocation =
  | { readonly kind: 'url'; readonly url: string }
  /** The folder of a local file. */
  | { readonly kind: 'folder'; readonly folder: string };

/** What scenes may refer to. */
export interface AddressRules {
  /** Whether a scene may name an http(s) or s3 address. */
  readonly isAllowedHref: (href: string) => boolean;
  /** The href of a local file in the catalog; throws `not-allowed` for a file outside the allowed folders. */
  readonly toHref: (path: string) => string;
}

/** An allowed address, or the sources that would have to be allowed first. */
type ChosenAddress = { readonly href: string } | { readonly href: null; readonly sources: readonly string[] };

/**
 * The first allowed address of a file, without its temporary signature. Amazon's https addresses are also tried as
 * `s3://`, the form in which buckets are allowed.
 */
export function chooseAddress(
  asset: StacAsset,
  { item, location, rules }: { item: StacItem; location: DocumentLocation; rules: AddressRules },
): ChosenAddress {
  const whole = asset.hrefs.flatMap((href) => resolveHref(href, item, location) ?? []).map(withoutSignature);
  const sources: string[] = [];
  for (const address of [...whole, ...whole.flatMap((one) => toS3(one) ?? [])]) {
    const isFile = posix.isAbsolute(address);
    const href = isFile ? tryFile(address, rules) : rules.isAllowedHref(address) ? address : null;
    if (href !== null) return { href };
    sources.push(isFile ? posix.dirname(address) : sourceOf(address));
  }
  return { href: null, sources: [...new Set(sources)] };
}

/** An absolute address, or the absolute path of a file; null for anything else. */
function resolveHref(href: string, { self }: StacItem, location: DocumentLocation): string | null {
  if (/^s3:\/\//.test(href)) return href;
  if (/^[a-z][a-z0-9+.-]+:/i.test(href)) {
    // A remote document must not refer to local files.
    if (/^file:/i.test(href)) return location.kind === 'folder' ? toPath(href) : null;
    const url = /^https?:/i.test(href) ? URL.parse(href) : null;
    return url === null ? null : url.href;
  }
  if (location.kind === 'folder') return posix.resolve(location.folder, decode(href));
  const base = self !== null && /^https?:/.test(self) ? self : location.url;
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

/** Query parameters of signatures: Azure, Amazon (both versions), Google, CloudFront. */
const SIGNATURE =
  /^(?:s[vtreip]|sig|spr|sk[setv]|skoid|sktid|x-amz-.*|x-goog-.*|awsaccesskeyid|googleaccessid|signature|expires|policy|key-pair-id)$/i;

/** An address without its temporary signature, which would make each run a change. */
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

/** The entry of SWATH_SOURCES that allows an address. */
const sourceOf = (href: string): string => toAddressOrigin(href) ?? 'an address';

/** Builds the check whether a scene may refer to an address: only to those that the settings let the catalog open. */
export function makeIsAllowedHref(sources: {
  readonly dataDir: string;
  readonly folders: readonly string[];
  readonly network?: NetworkSources;
}): (href: string) => boolean {
  const { network = {} } = sources;
  const buckets = new Set((network.s3 ?? []).flatMap((store) => store.buckets));
  return (href) => {
    if (/^s3:\/\//.test(href)) return buckets.has(href.slice('s3://'.length).split('/')[0] ?? '');
    if (!isAbsolute(href) && !href.includes(':')) return isDataHref(href);
    try {
      if (isAbsolute(href)) return toFileHref(href, sources) === href;
      // Without an explicit list all public hosts would be allowed.
      parseAllowedUrl(href, {
        hosts: network.hosts ?? [],
        allowHttp: network.allowHttp ?? false,
        ...(network.ports ? { ports: network.ports } : {}),
      });
      return true;
    } catch (error) {
      if (isSwathError(error) && error.tag === 'not-allowed') return false;
      throw error;
    }
  };
}
