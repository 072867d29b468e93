import { createHash } from 'node:crypto';
import type { Areas } from '../../areas/index.ts';
import { areaParser } from '../../areas/testing/memory-areas.ts';
import type { SceneStore } from '../../catalog/index.ts';
import type { Colormaps } from '../../colormaps/index.ts';
import type { KeyRecord, KeyStore } from '../../keys/index.ts';
import { makeKeys } from '../../keys/index.ts';
import type { DrawColorbar, FindIntensity, ReadPoint, Renderer } from '../../render/index.ts';
import { makePictureCache } from '../../render/index.ts';
import type { AppDeps } from '../index.ts';
import {
  makeApp,
  makeAuth,
  makeMetrics,
  makeRedactKeys,
  makeRoutes,
  makeWriteRate,
  toViewerFile,
} from '../index.ts';

/** A key every test application accepts. */
export const TEST_KEY = 'a-key-for-tests-only';

/** A key that may only read, for `records`. */
export const READER_KEY = 'a-key-that-may-only-read';

/** The record of that key, under the hash it is kept by. */
export const readerRecord: readonly [string, KeyRecord] = [
  createHash('sha256').update(READER_KEY).digest('hex'),
  {
    id: 'r1',
    label: 'reader',
    scope: 'read',
    ratePerMinute: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: null,
    revokedAt: null,
  },
];

/** A second key that may do everything, for `records`. */
export const OTHER_KEY = 'a-key-of-somebody-else';

/** The record of that key, under the hash it is kept by. */
export const otherRecord: readonly [string, KeyRecord] = [
  createHash('sha256').update(OTHER_KEY).digest('hex'),
  { ...readerRecord[1], id: 'o1', label: 'somebody else', scope: 'full' },
];

interface TestAppOptions {
  readonly scenes?: Partial<SceneStore>;
  readonly areas?: Partial<Areas>;
  readonly colormaps?: Partial<Colormaps>;
  readonly drawColorbar?: DrawColorbar;
  readonly renderer?: Partial<Renderer>;
  readonly readPoint?: ReadPoint;
  readonly findIntensity?: FindIntensity;
  readonly records?: readonly (readonly [secretHash: string, record: KeyRecord])[];
  readonly isDraining?: () => boolean;
  readonly metricsAccess?: 'open' | 'read' | 'none';
  readonly nowMs?: () => number;
  /** No limit unless given. */
  readonly writesPerMinute?: number;
}

/** The real application over parts a test provides; what it does not provide must not be touched. */
export function makeTestApp(options: TestAppOptions = {}) {
  const nowMs = options.nowMs ?? (() => performance.now());
  const lines: object[] = [];
  const write = (fields: object, text: string): void => void lines.push({ ...fields, text });
  const log: AppDeps['log'] = { info: write, warn: write, error: write };
  const records = new Map(options.records ?? []);
  const untouchable = (what: string) =>
    new Proxy(
      {},
      {
        get: (_, name) => () => Promise.reject(new Error(`the test does not expect ${what}.${String(name)}`)),
      },
    );
  const keyStore: Partial<KeyStore> = { findByHash: async (hash) => records.get(hash) ?? null };
  const keys = makeKeys({ store: keyStore as KeyStore, configuredSecret: TEST_KEY, now: () => new Date() });
  const metrics = makeMetrics({
    version: '0.0.0',
    readBlocks: () => ({ hits: 1, misses: 2, evicted: 0, refused: 0, usedBytes: 3, budgetBytes: 4 }),
    readTiles: makePictureCache(null).stats,
    readPool: () => ({ threads: 2, busy: 0, waiting: 0, ledgerBytes: 0, totals: { done: 1 } }),
  });
  const app = makeApp({
    routes: makeRoutes({
      version: '0.0.0',
      scenes: (options.scenes ?? untouchable('scenes')) as SceneStore,
      areaParser,
      areas: (options.areas ?? untouchable('areas')) as Areas,
      colormaps: (options.colormaps ?? untouchable('colormaps')) as Colormaps,
      drawColorbar:
        options.drawColorbar ?? (() => Promise.reject(new Error('the test does not expect a colorbar'))),
      renderer: (options.renderer ?? untouchable('renderer')) as Renderer,
      readPoint:
        options.readPoint ?? (() => Promise.reject(new Error('the test does not expect a point to be read'))),
      findIntensity:
        options.findIntensity ??
        (() => Promise.reject(new Error('the test does not expect an intensity range'))),
      metrics,
      metricsAccess: options.metricsAccess ?? 'open',
      viewer: new Map([['index.html', toViewerFile('index.html', new TextEncoder().encode('<p>map</p>'))]]),
      maxAgeS: 60,
      watermark: 'test',
      readReadiness: async () => ({
        ready: false,
        degraded: false,
        waiting: 'the first demo scene',
        checks: { store: 'ok' },
      }),
    }),
    auth: makeAuth({ keys, nowMs }),
    writeRate: makeWriteRate({ perMinute: options.writesPerMinute ?? 0, nowMs }),
    metrics,
    log,
    publicUrl: null,
    trustProxy: false,
    renderTimeoutMs: 10_000,
    redact: makeRedactKeys([TEST_KEY]),
    isDraining: options.isDraining ?? (() => false),
  });
  const call = (path: string, init: RequestInit & { key?: string | null } = {}) => {
    const { key = TEST_KEY, ...rest } = init;
    const headers = new Headers(rest.headers);
    if (key !== null) headers.set('x-api-key', key);
    return app.request(`http://swath.test${path}`, { ...rest, headers });
  };
  const post = (path: string, body: unknown, init: RequestInit = {}) =>
    call(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), ...init });
  return { app, call, post, lines };
}

/** The one error body. */
export interface ErrorBody {
  readonly status: false;
  readonly error: string;
  readonly code: string;
  readonly request_id: string;
}

/** Reads an error answer and checks that it has the one shape. */
export async function readError(response: Response): Promise<ErrorBody> {
  const body = (await response.json()) as ErrorBody;
  const names = Object.keys(body).sort();
  if (names.join() !== 'code,error,request_id,status' || body.status !== false) {
    throw new Error(`not the error body: ${JSON.stringify(body)}`);
  }
  return body;
}
