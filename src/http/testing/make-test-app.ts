import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { makeWindowCounter } from '../../async/index.ts';
import type { KeyRecord, KeyStore, RateStore } from '../../keys/index.ts';
import { makeKeys } from '../../keys/index.ts';
import {
  makeApp,
  makeAuth,
  makeKnownCallers,
  makeOpenRate,
  makePublicAuth,
  makeRedactKeys,
  makeRouteTable,
  makeStatisticsRate,
  makeWorkBudget,
  makeWriteRate,
} from '../index.ts';
import type { Route } from '../kit/endpoint.ts';
import type { AppDeps } from '../server/app.ts';
import { splitTarget } from '../server/routing.ts';
import type { TestRouteOptions } from './make-test-routes.ts';
import { makeTestRoutes } from './make-test-routes.ts';

/** A key every test application accepts. */
export const TEST_KEY = 'a-key-for-tests-only';

/** A key that may only read, for `records`. */
export const READER_KEY = 'a-key-that-may-only-read';

/** The record of that key, under its hash. */
export const readerRecord: readonly [string, KeyRecord] = [
  createHash('sha256').update(READER_KEY).digest('hex'),
  {
    id: 'r1',
    label: 'reader',
    role: 'read',
    ratePerMinute: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: null,
    revokedAt: null,
    parent: null,
  },
];

/** A second key that may do everything, for `records`. */
export const OTHER_KEY = 'a-key-of-somebody-else';

/** The record of that key, under its hash. */
export const otherRecord: readonly [string, KeyRecord] = [
  createHash('sha256').update(OTHER_KEY).digest('hex'),
  { ...readerRecord[1], id: 'o1', label: 'somebody else', role: 'order' },
];

/** What a test provides of the application, and which routes it wants. */
export interface TestAppOptions extends TestRouteOptions {
  /** No groups unless given. */
  readonly groupOutlines?: AppDeps['groupOutlines'];
  /** Where keys are; `records` unless given. */
  readonly keyStore?: KeyStore;
  readonly records?: readonly (readonly [secretHash: string, record: KeyRecord])[];
  readonly stopping?: AbortSignal;
  /** Whether a key still works; as its record says unless given. */
  readonly isActiveKey?: (id: string) => Promise<boolean>;
  readonly nowMs?: () => number;
  /** No limit unless given. */
  readonly writesPerMinute?: number;
  /** No limit unless given. */
  readonly work?: { readonly perMinute: number; readonly readOnlyPerMinute: number };
  /** Thumbnails without a key from one address; no limit unless given. */
  readonly openPerMinute?: number;
  /** Requests of guests from one address; none unless given. */
  readonly guestsPerMinute?: number;
  /** The limit of the statistics address; none unless given. */
  readonly statistics?: { readonly perMinute: number; readonly store: RateStore };
  /** The key of a session; none unless given. */
  readonly findSession?: (token: string) => Promise<KeyRecord | null>;
  /** Notes what keys use. */
  readonly countUsage?: AppDeps['usage']['count'];
  /** No quotas unless given. */
  readonly quotas?: AppDeps['quotas'];
  /** Changes the list of routes; all of the service unless given. */
  readonly chooseRoutes?: (routes: readonly Route[]) => readonly Route[];
}

/** The real application over parts a test provides; what it does not provide must not be touched. */
export function makeTestApp(options: TestAppOptions = {}) {
  const nowMs = options.nowMs ?? (() => performance.now());
  const lines: object[] = [];
  const write = (fields: object, text: string): void => void lines.push({ ...fields, text });
  const log: AppDeps['log'] = { info: write, warn: write, error: write };
  const records = new Map(options.records ?? []);
  const keyStore: Partial<KeyStore> = options.keyStore ?? {
    findByHash: async (hash) => records.get(hash) ?? null,
    findById: async (id) => [...records.values()].find((record) => record.id === id) ?? null,
  };
  const keys = makeKeys({ store: keyStore as KeyStore, configuredSecret: TEST_KEY, now: () => new Date() });
  const { routes: all, metrics, recipes, fields, readTileTokens } = makeTestRoutes(options);
  const routes = options.chooseRoutes?.(all) ?? all;
  const table = makeRouteTable(routes);
  const knownCallers = makeKnownCallers(nowMs);
  const makeCounter = () => makeWindowCounter({ windowMs: 60_000, nowMs });
  const auth = makeAuth({
    keys,
    readTileTokens,
    knownCallers,
    makeCounter,
    guestsPerMinute: options.guestsPerMinute ?? 0,
    findSession: options.findSession ?? (async () => null),
  });
  const app = makeApp({
    routes: table,
    auth,
    fields,
    groupOutlines: options.groupOutlines ?? { findRef: async () => null, findGeometry: async () => null },
    publicAuth: makePublicAuth({
      ...recipes,
      fields,
      isActiveKey: options.isActiveKey ?? keys.isActive,
      refuseWrongKey: auth.refuseWrongKey,
      knownCallers,
      makeCounter,
    }),
    writeRate: makeWriteRate({ perMinute: options.writesPerMinute ?? 0, makeCounter }),
    workBudget: makeWorkBudget({ perMinute: 0, readOnlyPerMinute: 0, ...options.work, nowMs }),
    statisticsRate: makeStatisticsRate({
      store: options.statistics?.store as RateStore,
      perMinute: options.statistics?.perMinute ?? 0,
      nowMs,
      log,
    }),
    usage: { count: options.countUsage ?? (() => {}) },
    quotas: options.quotas ?? { admit: async () => {}, admitOwner: async () => {} },
    openRate: makeOpenRate({ perMinute: options.openPerMinute ?? 0, makeCounter }),
    metrics,
    log,
    publicUrl: null,
    trustProxy: false,
    renderTimeoutMs: 10_000,
    redact: makeRedactKeys([TEST_KEY]),
    stopping: options.stopping ?? new AbortController().signal,
  });
  /** Asks the application without a connection. */
  const ask = async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const target = splitTarget(request.url.replace(/^https?:\/\/[^/?]*/, ''));
    const { status, headers, body } = await app({
      method: request.method,
      target,
      match: table.find(request.method, target.path),
      headers: request.headers,
      host: request.headers.get('host') ?? new URL(request.url).host,
      remoteAddress: undefined,
      body: request.body === null ? Readable.from([]) : Readable.fromWeb(request.body as never),
      signal: request.signal,
      slot: null,
      onSent: () => {},
      cut: () => false,
    });
    return new Response(body, { status, headers: [...headers] });
  };
  const call = (path: string, init: RequestInit & { key?: string | null } = {}) => {
    const { key = TEST_KEY, ...rest } = init;
    const headers = new Headers(rest.headers);
    if (key !== null) headers.set('x-api-key', key);
    return ask(`http://swath.test${path}`, { ...rest, headers });
  };
  const post = (path: string, body: unknown, init: RequestInit = {}) =>
    call(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), ...init });
  return { app, table, ask, call, post, lines, routes, knownCallers };
}

/** The one error body. */
export interface ErrorBody {
  readonly status: false;
  readonly error: string;
  readonly code: string;
  readonly request_id: string;
}

/** Reads an error answer and checks that it has the one shape; it may suggest what is meant. */
export async function readError(response: Response): Promise<ErrorBody> {
  const body = (await response.json()) as ErrorBody;
  const names = Object.keys(body)
    .filter((name) => name !== 'suggestion')
    .sort();
  if (names.join() !== 'code,error,request_id,status' || body.status !== false) {
    throw new Error(`not the error body: ${JSON.stringify(body)}`);
  }
  return body;
}
