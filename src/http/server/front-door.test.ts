import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestRoutes } from '../testing/make-test-routes.ts';
import { makeFrontDoor } from './front-door.ts';
import { makeRouteTable, splitTarget } from './routing.ts';

function makeDoor(maxInside: number, maxPerCaller: number) {
  const routes = makeRouteTable(makeTestRoutes().routes);
  const door = makeFrontDoor({
    maxInside,
    maxPerCaller,
    ownerOf: (text) => (text.length === 1 ? `key ${text}` : null),
  });
  let serial = 0;
  const nextUrl = (): string => {
    serial += 1;
    return `/api/render/S2/${serial}`;
  };
  const come = (key: string | null, url = nextUrl(), method = 'GET') => {
    const target = splitTarget(url);
    const isDrawn = routes.find(method, target.path)?.route?.door === 'render';
    const slot = isDrawn ? door.enter({ ...target, keyHeader: key ?? undefined }) : null;
    return { isIn: !isDrawn || slot !== null, leave: slot?.leave, lend: slot?.lend };
  };
  return { come };
}

test('a caller can use only its own share of slots, and a share stays free for the next caller', () => {
  const { come } = makeDoor(12, 6);
  const a = Array.from({ length: 6 }, () => come('a'));
  assert.ok(a.every(({ isIn }) => isIn));
  assert.equal(come('a').isIn, false);
  // A third of the slots for each of the two callers and for one more.
  const b = Array.from({ length: 4 }, () => come('b'));
  assert.ok(b.every(({ isIn }) => isIn));
  assert.equal(come('b').isIn, false);
  const c = Array.from({ length: 3 }, () => come('c'));
  assert.ok(
    c.every(({ isIn }) => isIn),
    'although twelve are inside with the third of them',
  );
  assert.equal(come('c').isIn, false);
  // Requests over the new share finish, but are not replaced.
  for (const { leave } of a.slice(0, 3)) leave?.();
  assert.equal(come('a').isIn, false);
  a[3]?.leave?.();
  assert.equal(come('a').isIn, true);
});

test('readers of a public recipe take the slots of its owner', () => {
  const { come } = makeDoor(12, 6);
  const view = (n: number, token = 'a'): string => `/api/public/${token}/12/${n}/0`;
  const readers = Array.from({ length: 4 }, (_, n) => come(null, view(n)));
  assert.ok(readers.every(({ isIn }) => isIn));
  const own = Array.from({ length: 3 }, () => come('a'));
  assert.deepEqual(
    own.map(({ isIn }) => isIn),
    [true, true, false],
  );
  assert.equal(come(null, view(9)).isIn, false);
  assert.equal(come('b', view(9)).isIn, false, 'a key of their own does not change that');
  assert.equal(come('b').isIn, true);
  assert.equal(come(null, view(0, 'unknown')).isIn, true, 'an unknown token counts as no key');
});

test('a caller with few requests is never refused, however many greedy callers there are', () => {
  const { come } = makeDoor(12, 6);
  const greedy = [...'abcdefgh'];
  for (let round = 0; round < 20; round += 1) for (const key of greedy) come(key);
  for (let i = 0; i < 20; i += 1) {
    const visit = come('m');
    assert.ok(visit.isIn);
    visit.leave?.();
    for (const key of greedy) come(key);
  }
});

test('a released slot can be taken again', () => {
  const { come } = makeDoor(1, 1);
  for (let i = 0; i < 3; i += 1) {
    const visit = come('a');
    assert.equal(visit.isIn, true);
    assert.equal(come('a').isIn, false);
    visit.leave?.();
  }
});

test('all unknown keys count as one caller, so that made-up keys cannot take every slot', () => {
  const { come } = makeDoor(4, 2);
  assert.ok(come('made up 1').isIn && come('made up 2').isIn);
  assert.equal(come('made up 3').isIn, false);
  assert.equal(come(null).isIn, false);
  assert.equal(come('a').isIn, true);
});

test('one key counts as one caller, however it is sent', () => {
  const { come } = makeDoor(2, 1);
  assert.equal(come(null, '/api/render/x?y=1&api_key=k').isIn, true);
  assert.equal(come('k').isIn, false);
  assert.equal(come(null, '/api/render/y?api_key=%6b').isIn, false);
  assert.equal(come(null, '/api/render/y?api%5Fkey=k').isIn, false);
  assert.equal(come('', '/api/render/y?api_key=k').isIn, false, 'an empty header is like none');
  assert.equal(come('k', '/api/render/y?api_key=k').isIn, false);
  assert.equal(come('o', '/api/render/y').isIn, true);
});

test('searches, health checks, preflights and uploads need no slot', () => {
  const { come } = makeDoor(1, 1);
  assert.equal(come('k').isIn, true);
  assert.equal(come('k').isIn, false);
  assert.equal(come('k', '/api/render/cropper', 'POST').isIn, true);
  for (const url of ['/healthz', '/api/lms/search/v2/sentinel2', '/'])
    assert.equal(come('k', url).isIn, true);
  assert.equal(come('k', '/api/render/x', 'OPTIONS').isIn, true);
});

test('equal requests of a caller share one slot; eight may join for each slot that the caller has', () => {
  const { come } = makeDoor(6, 2);
  const same = '/api/render/S2/same?api_key=a';
  const visits = Array.from({ length: 17 }, () => come(null, same));
  assert.ok(visits.every(({ isIn }) => isIn));
  assert.equal(come(null, same).isIn, false, 'sixteen after the first');
  assert.ok(come('a').isIn, 'one slot is left');
  assert.equal(come('a').isIn, false);
  // The slot stays taken until the last of them ends, whichever came first.
  for (const { leave } of visits.slice(0, 16)) leave?.();
  assert.equal(come('a').isIn, false);
  assert.ok(come(null, same).isIn);
});

test('the same address takes another slot for another caller', () => {
  const { come } = makeDoor(6, 1);
  assert.ok(come('a', '/api/render/S2/x').isIn && come('b', '/api/render/S2/x').isIn);
  assert.equal(come('a', '/api/render/S2/y').isIn, false);
  assert.equal(come('b', '/api/render/S2/y').isIn, false);
});

test('requests with an unknown key do not share slots', () => {
  const { come } = makeDoor(8, 2);
  assert.ok(come('made up', '/api/render/S2/x').isIn && come('made up', '/api/render/S2/x').isIn);
  assert.equal(come('made up', '/api/render/S2/x').isIn, false);
});

test('a request that waits for a remote store lends its slot, and takes it back', () => {
  const { come } = makeDoor(12, 6);
  const waiting = Array.from({ length: 6 }, () => come('a'));
  assert.equal(come('a').isIn, false);
  const returns = waiting.map(({ lend }) => lend!());
  const drawn = Array.from({ length: 6 }, () => come('a'));
  assert.ok(drawn.every(({ isIn }) => isIn));
  assert.equal(come('a').isIn, false);
  for (const takeBack of returns) takeBack();
  for (const { leave } of drawn) leave!();
  assert.equal(come('a').isIn, false, 'all six are back');
  returns[0]!();
  waiting[0]!.leave!();
  assert.equal(come('a').isIn, true, 'to take it back twice means nothing');
});

test('the number of lent slots is bounded, and a request that ends while it waits returns everything', () => {
  const { come } = makeDoor(4, 2);
  const visits = Array.from({ length: 16 }, () => {
    const visit = come('a');
    assert.ok(visit.isIn);
    visit.lend!();
    return visit;
  });
  // Eight for each of two slots are lent; these two keep theirs.
  for (let i = 0; i < 2; i += 1) {
    const visit = come('a');
    assert.ok(visit.isIn);
    visit.lend!();
    visits.push(visit);
  }
  assert.equal(come('a').isIn, false);
  for (const { leave } of visits) leave!();
  const again = [come('a'), come('a')];
  assert.ok(again.every(({ isIn }) => isIn));
  assert.equal(come('a').isIn, false, 'no slot too many, none too few');
});

test('a slot is not lent after its release', () => {
  const { come } = makeDoor(2, 1);
  const gone = come('a');
  gone.leave!();
  const takeBack = gone.lend!();
  const next = come('a');
  assert.ok(next.isIn);
  assert.equal(come('a').isIn, false);
  takeBack();
  next.leave!();
  assert.equal(come('a').isIn, true);
});

test('requests for the same picture lend one slot together', () => {
  const { come } = makeDoor(2, 1);
  const [first, second] = [come('a', '/api/render/S2/same'), come('a', '/api/render/S2/same')];
  const [back, backToo] = [first.lend!(), second.lend!()];
  const other = come('a');
  assert.ok(other.isIn);
  other.leave!();
  back();
  assert.ok(come('a').leave, 'the second still waits');
  backToo();
  assert.equal(come('a').isIn, false);
  first.leave!();
  second.leave!();
});
