import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NetworkSources } from '../../sources/index.ts';
import { BadFilter } from './cql2.ts';
import type { AnswerDeps } from './fake-answers.ts';
import {
  parseBody,
  parseQuery,
  RefusedSearch,
  toCollection,
  toItem,
  toLanding,
  toPage,
} from './fake-answers.ts';
import type { BucketRules, FileFault, FindFile } from './fake-files.ts';
import { makeFakeFiles } from './fake-files.ts';
import type { ItemSource } from './fake-search.ts';
import { makeItemList } from './fake-search.ts';
import type { CatalogStyle, StyleName } from './fake-styles.ts';
import { STYLES } from './fake-styles.ts';
import type { FakeItem, FilePlace, MadeItem } from './made-item.ts';
import { atFake, digits } from './made-item.ts';

/** A request as the fake received it. */
export interface FakeCall {
  readonly kind: 'landing' | 'collection' | 'item' | 'search' | 'token' | 'file' | 'unknown';
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Of a search by POST, parsed; null for anything else. */
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly userAgent: string;
  readonly headers: IncomingHttpHeaders;
}

/** What goes wrong with an answer of the catalog. */
export type CatalogFault =
  /** 429 with Retry-After, 500, 503 … */
  | { readonly status: number; readonly retryAfter?: string }
  /** Breaks the connection before an answer. */
  | { readonly cut: true }
  /** Answers 200 with this text. */
  | { readonly text: string }
  | { readonly redirectTo: string }
  /** Answers another JSON than it should: see `fake-lies.ts`. */
  | { readonly change: (answer: Record<string, unknown>) => unknown };

/** How a fake is made. */
export interface FakeStacOptions {
  readonly style?: StyleName | CatalogStyle;
  /** What it knows at first; more can be added. */
  readonly items?: (place: FilePlace) => readonly MadeItem[];
  /** Instead of a list: items and files that are made when they are asked for. */
  readonly earth?: (place: FilePlace) => { readonly source: ItemSource; readonly findFile: FindFile };
  readonly port?: number;
  /** Waits before each answer, for trying things by hand and for benchmarks. */
  readonly delayMs?: number;
  /** Who may read files, by the first part of their path. */
  readonly buckets?: Readonly<Record<string, BucketRules>>;
}

/** A public catalog and the store of its files, both on one port of this machine. */
export interface FakeStac extends AsyncDisposable {
  /** The address of the API: `http://127.0.0.1:12345/v1`. */
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  readonly place: FilePlace;
  /** All requests since the start, in order. */
  readonly calls: FakeCall[];
  /** Asked for each request of the API. */
  catalogFault: (call: FakeCall) => CatalogFault | null;
  /** Asked for each request of a file. */
  fileFault: (call: FakeCall) => FileFault | null;
  /** Awaited before each answer. */
  pause: (call: FakeCall) => Promise<unknown> | null;
  add(...items: readonly MadeItem[]): void;
  /** Replaces an item of the same id and its files. */
  replace(item: MadeItem): void;
  remove(id: string): void;
  /** The item as the API answers it. */
  itemOf(id: string): FakeItem;
  /** Refuses connections from now on. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  /** Without faults and calls. */
  reset(): void;
  /** What may read its files and ask its API. */
  readonly network: NetworkSources;
}

const SLOW_MS = 600_000;

/** Starts a catalog. */
export async function startFakeStac(options: FakeStacOptions = {}): Promise<FakeStac> {
  const style = typeof options.style === 'object' ? options.style : STYLES[options.style ?? 'earth-search'];
  const server = createServer((request, response) => {
    request.on('error', () => {});
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  await listen(options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const place = atFake(origin);
  const list = makeItemList(options.items?.(place) ?? []);
  const earth = options.earth?.(place);
  const source = earth?.source ?? list;
  let listed: ReadonlyMap<string, () => ReturnType<NonNullable<ReturnType<FindFile>>>> | null = null;
  const files = makeFakeFiles({
    find: (path) => {
      if (earth !== undefined) return earth.findFile(path);
      listed ??= new Map(list.items.flatMap((item) => [...item.files()]));
      return listed.get(path) ?? null;
    },
    rules: new Map(Object.entries(options.buckets ?? {})),
  });
  const deps: AnswerDeps = { style, source, url: `${origin}${style.root}` };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = toCall(request, Buffer.concat(chunks).toString(), style.root);
    fake.calls.push(call);
    await fake.pause(call);
    if (options.delayMs !== undefined) await sleep(options.delayMs);
    if (response.destroyed) return;
    if (call.kind === 'file') await files.answer(request, response, fake.fileFault(call));
    else if (call.kind === 'token') files.answerToken(call.path, response);
    else answerCatalog(call, response, fake.catalogFault(call), deps);
  };

  const change = (edit: () => void): void => {
    edit();
    listed = null;
    files.forget();
  };

  const fake: FakeStac = {
    url: deps.url,
    origin,
    port,
    place,
    calls: [],
    catalogFault: () => null,
    fileFault: () => null,
    pause: () => null,
    add: (...items) => change(() => list.items.push(...items)),
    replace: (item) =>
      change(() => {
        const at = list.items.findIndex(({ head }) => head.id === item.head.id);
        list.items.splice(at < 0 ? list.items.length : at, at < 0 ? 0 : 1, item);
      }),
    remove: (id) =>
      change(() => {
        const at = list.items.findIndex(({ head }) => head.id === id);
        if (at >= 0) list.items.splice(at, 1);
      }),
    itemOf(id) {
      const item = list.items.find(({ head }) => head.id === id);
      if (item === undefined) throw new Error(`the fake has no item ${id}`);
      return toItem(item, deps);
    },
    goDown: close,
    comeBack: () => listen(port),
    reset() {
      fake.calls.length = 0;
      fake.catalogFault = () => null;
      fake.fileFault = () => null;
      fake.pause = () => null;
    },
    network: {
      hosts: ['127.0.0.1'],
      allowHttp: true,
      ports: [port],
      privateNetworks: ['127.0.0.0/8'],
      limits: { backoffMs: 1, maxBackoffMs: 2 },
      // A slow machine makes files slowly.
      timeouts: { connectMs: SLOW_MS, headersMs: SLOW_MS, idleMs: SLOW_MS, totalMs: SLOW_MS },
    },
    async [Symbol.asyncDispose]() {
      if (server.listening) await close();
    },
  };
  return fake;
}

/** Where the token service is, whatever the root of the API. */
export const TOKEN_PATH = '/api/sas/v1/token';

function toCall(request: IncomingMessage, text: string, root: string): FakeCall {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://fake');
  const method = request.method ?? 'GET';
  const kind = kindOf(path, root);
  let body: FakeCall['body'] = null;
  if (kind === 'search' && method === 'POST') {
    try {
      body = parseBody(text) as FakeCall['body'];
    } catch {
      body = null;
    }
  }
  const { headers } = request;
  return { kind, method, path, query, body, userAgent: headers['user-agent'] ?? '', headers };
}

function kindOf(path: string, root: string): FakeCall['kind'] {
  if (path.startsWith(`${TOKEN_PATH}/`)) return 'token';
  if (path !== root && !path.startsWith(`${root}/`)) return 'file';
  const rest = path.slice(root.length).replace(/\/$/, '');
  if (rest === '' || rest === '/conformance') return 'landing';
  if (rest === '/search' || /^\/collections\/[^/]+\/items$/.test(rest)) return 'search';
  if (/^\/collections(?:\/[^/]+)?$/.test(rest)) return 'collection';
  return /^\/collections\/[^/]+\/items\/[^/]+$/.test(rest) ? 'item' : 'unknown';
}

function answerCatalog(
  call: FakeCall,
  response: ServerResponse,
  fault: CatalogFault | null,
  deps: AnswerDeps,
): void {
  const json = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
    const type = call.kind === 'search' || call.kind === 'item' ? 'application/geo+json' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...headers }).end(JSON.stringify(value));
  };
  if (fault !== null && 'cut' in fault) {
    response.destroy();
  } else if (fault !== null && 'status' in fault) {
    const { status, retryAfter } = fault;
    json(status, { code: 'Failed' }, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  } else if (fault !== null && 'redirectTo' in fault) {
    response.writeHead(302, { location: fault.redirectTo }).end();
  } else if (fault !== null && 'text' in fault) {
    response.writeHead(200, { 'content-type': 'text/html' }).end(fault.text);
  } else {
    try {
      const found = toAnswer(call, deps);
      if (found === null) json(404, { code: 'NotFound', description: 'Not Found' });
      else {
        const value = fault === null ? found : fault.change(found);
        const isTagged = call.kind === 'item' && deps.style.etags;
        const etag = `W/"${digits(27, JSON.stringify(value))}"`;
        if (isTagged && call.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
        else json(200, value, isTagged ? { etag } : {});
      }
    } catch (error) {
      if (!(error instanceof RefusedSearch || error instanceof BadFilter)) throw error;
      json(400, { code: 'BadRequest', description: error.message });
    }
  }
}

/** The JSON of an answer; null if there is no such thing. */
function toAnswer(call: FakeCall, deps: AnswerDeps): Record<string, unknown> | null {
  const rest = call.path.slice(deps.style.root.length).replace(/\/$/, '');
  const [, , collection = '', , id = ''] = rest.split('/').map(decodeURIComponent);
  switch (call.kind) {
    case 'landing':
      return rest === '/conformance' ? { conformsTo: deps.style.conformsTo } : toLanding(deps);
    case 'collection':
      if (collection === '')
        return { collections: deps.source.collections.map((one) => toCollection(one, deps)), links: [] };
      return deps.source.collections.includes(collection) ? toCollection(collection, deps) : null;
    case 'item': {
      const item = deps.source.find(collection, id);
      return item === null ? null : { ...toItem(item, deps) };
    }
    case 'search': {
      const address = `${deps.url}${rest}`;
      const { method, query } = call;
      if (method === 'POST' && call.body === null) throw new RefusedSearch('the body is not JSON');
      const body = method === 'POST' ? call.body! : parseQuery(query);
      const own = rest === '/search' ? {} : { collections: [collection] };
      return toPage(
        { method: method === 'POST' ? 'POST' : 'GET', address, body: { ...body, ...own }, query },
        deps,
      );
    }
    default:
      return null;
  }
}
