import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { makeFrontDoor } from './front-door.ts';

class FakeResponse extends EventEmitter {
  status = 200;
  body = '';
  headers: Record<string, unknown> = {};
  writeHead(status: number, headers: Record<string, unknown>): this {
    this.status = status;
    this.headers = headers;
    return this;
  }
  end(body: string): void {
    this.body = body;
  }
}

function makeDoor(maxInside: number, maxPerCaller: number) {
  let refused = 0;
  const door = makeFrontDoor({ maxInside, maxPerCaller, onRefuse: () => (refused += 1) });
  const come = (key: string | null, url = '/api/render/S2/x') => {
    const headers = key === null ? {} : { 'x-api-key': key };
    const response = new FakeResponse();
    const request = { url, headers, socket: { remoteAddress: '10.0.0.1' } } as unknown as IncomingMessage;
    const isIn = door.admit(request, response as unknown as ServerResponse);
    return { isIn, response, leave: () => response.emit('close') };
  };
  return { come, countRefused: () => refused };
}

test('one caller fills only its own share, all together only the house', () => {
  const { come, countRefused } = makeDoor(5, 3);
  const a = [come('a'), come('a'), come('a')];
  assert.ok(a.every(({ isIn }) => isIn));
  assert.equal(come('a').isIn, false);
  assert.ok(come('b').isIn && come('c').isIn);
  assert.equal(come('d').isIn, false);
  a[0]?.leave();
  assert.equal(come('d').isIn, true);
  assert.equal(countRefused(), 2);
});

test('a place is given back however the answer ends, and only once', () => {
  const { come } = makeDoor(1, 1);
  for (let i = 0; i < 3; i += 1) {
    const visit = come('a');
    assert.equal(visit.isIn, true);
    assert.equal(come('a').isIn, false);
    visit.leave();
    visit.leave();
  }
});

test('the refusal is the one error body, not to be cached, with a time to come back', () => {
  const { come } = makeDoor(0, 0);
  const { response } = come('a');
  assert.equal(response.status, 503);
  assert.equal(response.headers['retry-after'], '1');
  assert.equal(response.headers['cache-control'], 'no-store');
  assert.deepEqual(Object.keys(JSON.parse(response.body)), ['status', 'error', 'code', 'request_id']);
});

test('search and health do not stand in line; keys in the query and addresses tell callers apart', () => {
  const { come } = makeDoor(2, 1);
  assert.equal(come(null, '/api/render/x?api_key=k1').isIn, true);
  assert.equal(come(null, '/api/render/x?y=1&api_key=k1').isIn, false);
  assert.equal(come(null, '/api/render/x').isIn, true);
  for (const url of ['/healthz', '/api/lms/search/v2/sentinel2', '/'])
    assert.equal(come('k1', url).isIn, true);
});
