import { Readable } from 'node:stream';
import type { SceneStore } from '../../src/catalog/index.ts';
import { splitTarget } from '../../src/http/server/routing.ts';
import { makeTestApp, TEST_KEY } from '../../src/http/testing/make-test-app.ts';

/** Posts JSON to the application and returns the bytes of the answer. */
export type PostJson = (path: string, body: object) => Promise<Uint8Array>;

/**
 * The application over a store, without a network. It gets a request as the server of the service hands it over: a Request
 * and a Response of Node, which the service does not use, copy an answer several times.
 */
export function makePostJson(scenes: SceneStore): PostJson {
  const { app, table } = makeTestApp({ scenes });
  const headers = new Map([
    ['x-api-key', TEST_KEY],
    ['content-type', 'application/json'],
  ]);
  return async (path, body) => {
    const target = splitTarget(path);
    const answer = await app({
      method: 'POST',
      target,
      match: table.find('POST', target.path),
      headers: { get: (name) => headers.get(name) ?? null },
      host: 'swath.test',
      remoteAddress: undefined,
      body: Readable.from([Buffer.from(JSON.stringify(body))]),
      signal: new AbortController().signal,
      slot: null,
      onSent: () => {},
      cut: () => false,
    });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    return typeof answer.body === 'string' ? Buffer.from(answer.body) : (answer.body as Uint8Array);
  };
}
