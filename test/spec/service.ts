import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scene } from '../../src/catalog/index.ts';
import { DEMO_FOLDER } from '../../src/demo/demo-data.ts';
import type { SharedProcess } from '../support/shared-process.ts';
import { openShared } from '../support/shared-process.ts';
import { SERVICE_KEY } from '../support/start-swath.ts';
import type { SpecService } from './spec-server.ts';
import type { Key } from './spec-world.ts';
import { TERRAIN } from './spec-world.ts';

export type { Key } from './spec-world.ts';
export { MOISTURE } from './spec-world.ts';

/** One for all files of a process. */
let opened: Promise<SharedProcess> | null = null;
let swath: SpecService;

before(async () => {
  opened ??= openShared('spec', new URL('./spec-server.ts', import.meta.url));
  swath = JSON.parse((await opened).line) as SpecService;
});
after(async () => {
  await (await opened)?.close();
});

/** The record of a scene. */
export const sceneOf = (key: Key): Scene => swath.scenes[key];

/** The path of a file that belongs to a scene. */
export const pathOf = (href: string): string => join(swath.dataDir, href);

/** The path of a file of the elevation model, by the south-west corner of its degree. */
export const demPathOf = (latitude: number, longitude: number): string => {
  const name = `Copernicus_DSM_COG_30_N${latitude}_00_W${-longitude}_00_DEM`;
  return join(swath.dataDir, DEMO_FOLDER, TERRAIN.key, name, `${name}.tif`);
};

/** `{sensor}/{verb}/{scene_id}`. */
export function verbPath(key: Key, verb: string): string {
  const [sensor, ...name] = sceneOf(key).viewId.split('/');
  return [sensor, verb, ...name].join('/');
}

interface AskOptions {
  readonly query?: string;
  readonly body?: unknown;
  /** Null for none. */
  readonly apiKey?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

interface CallOptions extends Pick<AskOptions, 'apiKey' | 'headers' | 'body'> {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
}

/** Sends a request, and again while the service says that it is too busy: on a slow machine a render waits for its turn. */
async function sendPatiently(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await send();
    if (response.status !== 503) return response;
    await response.body?.cancel();
    await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
  }
}

/** Calls any path of the service, or a whole address, and follows no redirect. With a body it is a POST. */
export function call(path: string, { method, body, apiKey = SERVICE_KEY, headers = {} }: CallOptions = {}) {
  const url = new URL(path, swath.url);
  if (apiKey !== null) url.searchParams.set('api_key', apiKey);
  return sendPatiently(() =>
    fetch(url, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
}

/** Asks for `/api/render/{path}`; with a body it is a POST. The key goes into the query, as the interface says. */
export function ask(path: string, { query = '', body, apiKey = SERVICE_KEY, headers = {} }: AskOptions = {}) {
  const key = apiKey === null ? '' : `&api_key=${encodeURIComponent(apiKey)}`;
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  return sendPatiently(() => fetch(`${swath.url}/api/render/${path}?${query}${key}`, init));
}

/** Asks for JSON that must come. */
export async function askJson<Body>(path: string, options?: AskOptions): Promise<Body> {
  const response = await ask(path, options);
  assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  return (await response.json()) as Body;
}

/** Asks for what must be refused, with the standard error body; returns its code. */
export async function askRefused(path: string, status: number, options?: AskOptions): Promise<string> {
  const response = await ask(path, options);
  const text = await response.text();
  assert.equal(response.status, status, `${path} ${options?.query ?? ''}: ${text.slice(0, 200)}`);
  const { status: flag, error, code } = JSON.parse(text) as Record<string, unknown>;
  assert.equal(flag, false);
  assert.ok(typeof error === 'string' && error.length > 10 && typeof code === 'string');
  return code;
}
