import type { LiveCatalog } from './live-catalog.ts';

/**
 * Origins from which a browser may show pictures of a catalog, in the words of a content security policy: those of its
 * API and of its files (`https://*.example.org` for all hosts below a name). Hosts whose files need a token are left out,
 * because a browser has none, and so are buckets, whose addresses browsers do not know.
 */
export function listPictureOrigins({
  url,
  sources,
}: Pick<LiveCatalog, 'url' | 'sources'>): readonly string[] {
  const { hosts = [], tokens = [], allowHttp = false } = sources;
  const ports = sources.ports ?? (allowHttp ? [443, 80] : [443]);
  const withToken = new Set(tokens.flatMap((service) => service.hosts));
  const schemes = allowHttp ? (['https', 'http'] as const) : (['https'] as const);
  const ofFiles = hosts
    .filter((host) => !withToken.has(host))
    .flatMap((host) =>
      schemes.flatMap((scheme) =>
        ports
          // Each of the two well-known ports is of one scheme.
          .filter((port) => port !== (scheme === 'https' ? 80 : 443))
          .map((port) => toOrigin(scheme, host.toLowerCase(), port)),
      ),
    );
  return [...new Set([new URL(url).origin, ...ofFiles])];
}

const toOrigin = (scheme: 'http' | 'https', host: string, port: number): string =>
  port === (scheme === 'https' ? 443 : 80) ? `${scheme}://${host}` : `${scheme}://${host}:${port}`;
