import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { makeFrontDoor } from './front-door.ts';

class FakeResponse {
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
  const door = makeFrontDoor({
    maxInside,
    maxPerCaller,
    isKnownKey: (text) => text.length === 1,
    onRefuse: () => {
      refused += 1;
    },
  });
  let serial = 0;
  const nextUrl = (): string => {
    serial += 1;
    return `/api/render/S2/${serial}`;
  };
  const come = (key: string | null, url = nextUrl(), method = 'GET') => {
    const headers = key === null ? {} : { 'x-api-key': key };
    const response = new FakeResponse();
    const leave = door.enter(
      { url, method, headers } as IncomingMessage,
      response as unknown as ServerResponse,
    );
    return { isIn: leave !== null, response, leave };
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
  a[0]?.leave?.();
  assert.equal(come('d').isIn, true);
  assert.equal(countRefused(), 2);
});

test('a place that is left can be taken again', () => {
  const { come } = makeDoor(1, 1);
  for (let i = 0; i < 3; i += 1) {
    const visit = come('a');
    assert.equal(visit.isIn, true);
    assert.equal(come('a').isIn, false);
    visit.leave?.();
  }
});

test('all keys that are not known are one caller, so that made-up ones cannot take every place', () => {
  const { come } = makeDoor(4, 2);
  assert.ok(come('made up 1').isIn && come('made up 2').isIn);
  assert.equal(come('made up 3').isIn, false);
  assert.equal(come(null).isIn, false);
  assert.equal(come('a').isIn, true);
});

test('the refusal is the one error body, not to be cached, with a time to come back', () => {
  const { come } = makeDoor(0, 0);
  const { response } = come('a');
  assert.equal(response.status, 503);
  assert.equal(response.headers['retry-after'], '1');
  assert.equal(response.headers['cache-control'], 'no-store');
  assert.equal(response.headers['access-control-allow-origin'], '*');
  assert.match(String(response.headers['access-control-expose-headers']), /retry-after/);
  assert.equal(response.headers['x-request-id'], JSON.parse(response.body).request_id);
  assert.deepEqual(Object.keys(JSON.parse(response.body)), ['status', 'error', 'code', 'request_id']);
});

test('search, health and preflights do not stand in line; a key in the query counts like one in the header', () => {
  const { come } = makeDoor(1, 1);
  assert.equal(come(null, '/api/render/x?y=1&api_key=k').isIn, true);
  assert.equal(come('k').isIn, false);
  assert.equal(come('k', 'http://host/api/render/x').isIn, false);
  for (const url of ['/healthz', '/api/lms/search/v2/sentinel2', '/'])
    assert.equal(come('k', url).isIn, true);
  assert.equal(come('k', '/api/render/x', 'OPTIONS').isIn, true);
});

test('who asks for the same at once takes one place with all of it, up to eight times as many as it has', () => {
  const { come, countRefused } = makeDoor(3, 2);
  const same = '/api/render/S2/same?api_key=a';
  const visits = Array.from({ length: 17 }, () => come(null, same));
  assert.ok(visits.every(({ isIn }) => isIn));
  assert.equal(come(null, same).isIn, false, 'sixteen beside the first');
  assert.ok(come('a').isIn, 'one place is left');
  assert.equal(come('a').isIn, false);
  assert.ok(come('b').isIn && !come('c').isIn, 'and one of the house');
  // The place is taken until the last of them leaves, whoever came first.
  for (const { leave } of visits.slice(0, 16)) leave?.();
  assert.equal(come('a').isIn, false);
  assert.ok(come(null, same).isIn);
  assert.equal(countRefused(), 4);
});

test('the same address of another caller is another place, and so is what changes something', () => {
  const { come } = makeDoor(3, 2);
  assert.ok(come('a', '/api/render/S2/x').isIn && come('b', '/api/render/S2/x').isIn);
  assert.ok(come('a', '/api/render/cropper', 'POST').isIn);
  assert.equal(come('a', '/api/render/cropper', 'POST').isIn, false);
});

test('what is not known to be a key does not get in by asking for the same', () => {
  const { come } = makeDoor(8, 2);
  assert.ok(come('made up', '/api/render/S2/x').isIn && come('made up', '/api/render/S2/x').isIn);
  assert.equal(come('made up', '/api/render/S2/x').isIn, false);
});
