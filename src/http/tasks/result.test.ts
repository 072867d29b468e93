import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeResultLinks } from './result.ts';

const SECRET = 'a'.repeat(64);
const result = { id: '0b6f0f6e-6f8e-4a2e-9d6a-0c6f1f6f0001', fileName: 'S2 (B8-B4)/é.tif' };
const clock = { nowMs: 1_800_000_000_000 };
const links = makeResultLinks({ secret: SECRET, wallClockMs: () => clock.nowMs });

/** What the service reads from a link. */
function parseLink(link: string) {
  const url = new URL(link, 'http://swath.test');
  const [, , , id = '', fileName = ''] = url.pathname.split('/');
  const [expires, signature] = ['expires', 'signature'].map((name) => url.searchParams.get(name) ?? '');
  return {
    linked: { id: decodeURIComponent(id), fileName: decodeURIComponent(fileName) },
    query: { expires: expires as string, signature: signature as string },
  };
}

test('a link is valid until its expiry second, and expired from then on', () => {
  const link = links.sign(result, clock.nowMs + 60_000);
  assert.match(
    link,
    /^\/api\/results\/0b6f0f6e-[0-9a-f-]+\/S2%20\(B8-B4\)%2F%C3%A9\.tif\?expires=1800000060&signature=[\w-]{43}$/,
  );
  const { linked, query } = parseLink(link);
  assert.deepEqual(linked, result);
  assert.deepEqual(links.check(linked, query), { state: 'valid', leftS: 60 });
  clock.nowMs += 59_999;
  assert.equal(links.check(linked, query).state, 'valid');
  clock.nowMs += 1;
  assert.deepEqual(links.check(linked, query), { state: 'expired' });
  clock.nowMs -= 60_000;
});

test('a link with another id, name, time, signature or secret is wrong, expired or not', () => {
  const { linked, query } = parseLink(links.sign(result, clock.nowMs + 60_000));
  const wrong = [
    [{ ...linked, id: `${linked.id}0` }, query],
    [{ ...linked, fileName: 'other.tif' }, query],
    // The parts are signed apart from each other.
    [{ id: `${linked.id}"`, fileName: linked.fileName.slice(1) }, query],
    [linked, { ...query, expires: String(Number(query.expires) + 1) }],
    [linked, { ...query, expires: '1' }],
    [linked, { ...query, expires: '' }],
    [linked, { ...query, signature: '' }],
    [linked, { ...query, signature: query.signature.slice(0, -1) }],
    [linked, { ...query, signature: `${query.signature}A` }],
    [linked, { ...query, signature: query.signature.toUpperCase() }],
  ] as const;
  for (const [given, signed] of wrong) {
    assert.deepEqual(links.check(given, signed), { state: 'wrong' }, JSON.stringify({ given, signed }));
  }
  const other = makeResultLinks({ secret: 'b'.repeat(64), wallClockMs: () => clock.nowMs });
  assert.deepEqual(other.check(linked, query), { state: 'wrong' });
});
