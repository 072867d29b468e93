import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../testing/test-size.ts';
import { parseTarget } from './target.ts';

const TILE = '/api/render/S2/x/B04,B03,B02/1/2/3';

test('a plain target stays as it is', () => {
  for (const path of [
    '/',
    '/healthz',
    TILE,
    '/api/render/S2/x/(B08-B04)/(B08+B04)/1/2/3',
    '/api/render/S2/x/B04//2/1/2/3',
    '/api/render/S2/x/B04^2*"|<>[]{}`/1/2/3',
    '/api/render/S2/x/B04%2FB03%20%25/1/2/3',
    '/api/render/S2/x/1./.5/1/2/3',
  ]) {
    assert.deepEqual(parseTarget(path), { path, query: '', host: null });
    assert.deepEqual(parseTarget(`${path}?a=/../%2e&b=\\`), { path, query: 'a=/../%2e&b=\\', host: null });
  }
});

test('encoded letters, digits and marks are decoded: they mean the same in every URL', () => {
  assert.equal(parseTarget('/%61pi/%72ender/%5f%7E%2D%2e1').path, '/api/render/_~-.1');
  assert.equal(parseTarget('/%2Fx%5C%23%00%0d').path, '/%2Fx%5C%23%00%0d');
});

test('the host of an absolute target is told apart', () => {
  assert.deepEqual(parseTarget(`http://tiles.example.org:81${TILE}?a=1`), {
    path: TILE,
    query: 'a=1',
    host: 'tiles.example.org:81',
  });
  assert.deepEqual(parseTarget('HTTPS://x'), { path: '/', query: '', host: 'x' });
  assert.deepEqual(parseTarget('http://x?a=1'), { path: '/', query: 'a=1', host: 'x' });
});

test('what a URL parser would read as another path is refused', () => {
  for (const target of [
    '',
    '*',
    'api/render',
    'ftp://x/y',
    'x:80',
    '//api/render/x',
    '/x/../api/render/y',
    '/api/./render/y',
    '/..',
    '/.',
    '/x/%2e%2E/y',
    '/x/.%2e',
    '/api\\render',
    '/api/render/x#y',
    '/api/render?a#y',
    '/a b',
    '/a\tb',
    '/a\u00e9',
  ]) {
    assert.throws(() => parseTarget(target), { tag: 'bad-input', code: 'bad-target' }, target);
  }
});

test('what passes has one reading: that of a URL object, and itself when it is parsed again', () => {
  const piece = fc.constantFrom(
    ...['/', '//', '.', '..', '%2e', '%2F', '\\', 'api', 'render', '%72', '?', '#', ';', ':', '@', 'B4', '%'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const raw = `/${pieces.join('')}`;
      let parsed: ReturnType<typeof parseTarget>;
      try {
        parsed = parseTarget(raw);
      } catch {
        return;
      }
      assert.equal(new URL(`http://host${parsed.path}`).pathname, parsed.path);
      assert.deepEqual(parseTarget(parsed.path), { ...parsed, query: '' });
    }),
    { numRuns: casesOf(5_000) },
  );
});

test('addresses of the render host, without /api/render, get their root; others stay as they are', () => {
  for (const path of [
    '/S2/31/T/DH/2026/6/21/0/B04,B03,B02/12/2081/1510',
    '/L8%2FLC80110312016028LGN00/B4/3/2/1',
    '/S1/thumb/S1A_IW_GRDH.png',
    '/CBERS4/x/y/1/2/3',
    '/terrain/5/10/12',
  ]) {
    assert.equal(parseTarget(`${path}?a=1`).path, `/api/render${path}`);
  }
  for (const path of ['/', '/docs', '/api/render/S2/x', '/s2/x', '/S2X/y', '/healthz', '/%2FS2/x', '/api']) {
    assert.equal(parseTarget(path).path, path);
  }
});
