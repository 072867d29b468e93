import { isAbsolute } from 'node:path';
import { isSwathError } from '../../errors.ts';
import { parseAllowedUrl } from '../../net/index.ts';
import type { NetworkSources } from '../../sources/index.ts';
import { isDataHref, toFileHref } from '../../sources/index.ts';

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
