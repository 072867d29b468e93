import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NetworkSources } from '../../../sources/index.ts';
import { escapeXml } from '../../../xml/index.ts';

/** A server of files in memory: by their paths, and as the bucket `heights`. */
export interface FileServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:4321`. */
  readonly base: string;
  /** By path without the first slash; tests may change it. */
  readonly files: Map<string, Uint8Array>;
  /** Paths that were asked for since the last call, lists as `list`. */
  takeSeen(): readonly string[];
  /** Settings that allow it. */
  readonly network: NetworkSources;
}

/** Starts one. It answers ranges with an ETag, and lists two keys a page. */
export async function serveFiles(given: Readonly<Record<string, Uint8Array | string>>): Promise<FileServer> {
  const files = new Map(
    Object.entries(given).map(([path, content]) => [path, new Uint8Array(Buffer.from(content))]),
  );
  let seen: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://server');
    if (url.searchParams.get('list-type') === '2') {
      seen.push('list');
      response.end(toListing(files, url.searchParams));
      return;
    }
    const path = decodeURIComponent(url.pathname.slice(1).replace(/^heights\//, ''));
    seen.push(path);
    const bytes = files.get(path);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (bytes === undefined || first === undefined) {
      response.writeHead(bytes === undefined ? 404 : 200).end();
      return;
    }
    const [start, end] = [Number(first), Math.min(Number(last) + 1, bytes.length)];
    const range = `bytes ${start}-${end - 1}/${bytes.length}`;
    response.writeHead(206, { etag: toEtag(bytes), 'content-range': range }).end(bytes.subarray(start, end));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}`;
  return {
    base,
    files,
    takeSeen() {
      const taken = seen;
      seen = [];
      return taken;
    },
    network: {
      hosts: ['127.0.0.1'],
      allowHttp: true,
      ports: [port],
      privateNetworks: ['127.0.0.0/8'],
      s3: [{ buckets: ['heights'], region: 'x', endpoint: base, pathStyle: true }],
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** By length and a sum: two files of a test differ in one of them. */
const toEtag = (bytes: Uint8Array): string =>
  `"${bytes.length}-${bytes.reduce((sum, byte) => sum + byte, 0)}"`;

function toListing(files: ReadonlyMap<string, Uint8Array>, query: URLSearchParams): string {
  const keys = [...files.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort();
  const from = Number(query.get('continuation-token') ?? 0);
  const isCut = from + 2 < keys.length;
  const entries = keys.slice(from, from + 2).map((key) => {
    const bytes = files.get(key)!;
    return `<Contents><Key>${escapeXml(key)}</Key><ETag>${escapeXml(toEtag(bytes))}</ETag><Size>${bytes.length}</Size></Contents>`;
  });
  const next = isCut ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
  return `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`;
}
