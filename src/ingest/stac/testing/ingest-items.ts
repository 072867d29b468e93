import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { CogOptions } from '../../../formats/cog/index.ts';
import { createCog } from '../../../formats/cog/index.ts';
import type { GuardedFetch } from '../../../net/index.ts';
import { makeGuardedFetch } from '../../../net/index.ts';
import type { TestFolder } from '../../folder/testing/make-folder.ts';
import type { IngestStacOptions } from '../ingest-stac.ts';
import { ingestStac } from '../ingest-stac.ts';
import type { StacFilters } from '../source/source.ts';
import { naipItem } from './make-items.ts';

/** Filters that let every item pass. */
export const everything: StacFilters = {
  bbox: null,
  date: null,
  maxCloudPercent: null,
  limit: null,
  collections: [],
};
/** Ingests the items of a folder, by default without access to the network. */
export function ingest({ root, options }: TestFolder, more: Partial<IngestStacOptions> = {}) {
  const { store, open, toHref } = options;
  const given = { from: root, filters: everything, fetch: null, isAllowedHref: () => false };
  return ingestStac({ ...given, store, open, toHref, sleep: async () => {}, ...more });
}

/** Writes a NAIP item and its file into the folder; `bands` is what the file says of its bands. */
export async function addNaip(
  folder: TestFolder,
  number: number,
  bands: NonNullable<CogOptions['bands']> = [{}, {}, {}, {}],
): Promise<void> {
  const item = naipItem(number);
  const name = String(item.assets.image!.href).split('/').at(-1)!;
  item.assets.image!.href = `./${name}`;
  await folder.write(`${item.id}.json`, JSON.stringify(item));
  const size = 700;
  const cog = await createCog(join(folder.root, name), {
    epsg: 26916,
    type: 'uint8',
    bandCount: 4,
    nodata: null,
    width: size,
    height: size,
    transform: [601_183.5 + number * 1_000, 10, 0, 3_430_444.8, 0, -10],
    compression: 'none',
    predictor: 1,
    blockSize: 256,
    overviews: 'auto',
    bands,
  });
  const band = new Uint8Array(size * size).fill(7);
  await cog.writeRows([band, band, band, band], size);
  await cog.finish();
}

/** A request as the server received it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}

/** Its answer: JSON, or a status with headers. */
export type Reply = object | { readonly status: number; readonly headers?: Record<string, string> };

/** A local catalog for tests; `seen` holds all requests in order. */
export async function startFakeCatalog(answer: (seen: Seen, base: string) => Reply): Promise<{
  readonly base: string;
  readonly seen: readonly Seen[];
  readonly fetch: GuardedFetch;
  readonly stop: () => Promise<void>;
}> {
  const all: Seen[] = [];
  let base = '';
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const url = new URL(request.url ?? '/', base);
    const seen: Seen = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      body: text === '' ? {} : JSON.parse(text),
    };
    all.push(seen);
    const reply = answer(seen, base);
    if ('status' in reply && typeof reply.status === 'number') {
      const headers = 'headers' in reply ? (reply.headers as Record<string, string>) : {};
      response.writeHead(reply.status, headers).end();
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  const fetch = makeGuardedFetch({
    policy: { hosts: ['127.0.0.1'], allowHttp: true, ports: [port], privateNetworks: ['127.0.0.0/8'] },
  });
  return {
    base,
    seen: all,
    fetch,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
