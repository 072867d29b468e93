import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from '../api/api.ts';
import { Failure } from '../api/failure.ts';
import type { Outline } from '../scenes/footprint.ts';
import { PLAIN_PICTURE } from '../scenes/picture.ts';
import type { Scene } from '../scenes/scene.ts';
import type { Position } from '../shapes/shape.ts';
import { parseAddress } from '../state/address.ts';
import type { Area, Line } from '../state/drawing.ts';
import type { Query } from '../state/search-state.ts';
import { PLAIN_QUERY } from '../state/search-state.ts';
import type { ShapeStore } from '../state/shape-store.ts';
import { makeStore } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { INITIAL_STATE } from '../state/viewer-state.ts';
import { en } from '../texts/en.ts';
import type { ActionParts } from './action-parts.ts';
import { makeReport } from './report.ts';
import { makeShapeActions } from './shapes.ts';

const box = (west: number, south: number, size = 1): readonly Position[] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south],
];
const areaAt = (west: number): Area => ({
  outline: { type: 'Polygon', coordinates: [box(west, 2)] },
  name: null,
});
const [FIRST, SECOND] = [areaAt(1), areaAt(5)] as const;
const ref = (digit: string): string => digit.repeat(32);
/** Too long for an address. */
const LONG_RING = Array.from({ length: 400 }, (_, i): Position => [Math.cos(i / 63.7), Math.sin(i / 63.7)]);
const LONG: Area = {
  outline: { type: 'Polygon', coordinates: [LONG_RING] },
  name: 'coast',
};

const NO_SHAPES: ShapeStore = {
  readArea: () => null,
  readLine: () => null,
  storeArea: () => true,
  storeLine: () => true,
};

const makeBench = (
  change: Partial<Api> = {},
  state: Partial<ViewerState> = {},
  ofTab: Partial<ShapeStore> = {},
) => {
  const stored: Outline[] = [];
  const searched: Partial<Query>[] = [];
  const api = {
    storeArea: async (outline: Outline) => {
      stored.push(outline);
      return ref(String(stored.length));
    },
    ...change,
  } as unknown as Api;
  const store = makeStore<ViewerState>({ ...INITIAL_STATE, phase: { kind: 'ready' }, ...state });
  const parts = { store, api, shapes: { ...NO_SHAPES, ...ofTab }, texts: en } as unknown as ActionParts;
  const report = makeReport(parts);
  const search = {
    search: async () => [],
    setQuery: async (query: Partial<Query>) => {
      searched.push(query);
      store.update((now) => ({ ...now, query: { ...now.query, ...query } }));
    },
    loadMore: async () => {},
    refreshList: async () => false,
    searchView: async () => {},
  };
  return { actions: makeShapeActions(parts, { report, search }), read: store.read, stored, searched };
};

test('changes of area and line are undone one by one, and redone', () => {
  const { actions, read } = makeBench();
  actions.setArea(FIRST);
  actions.setLine({ positions: box(0, 0), name: null });
  actions.setArea(SECOND);
  actions.undoShapes();
  assert.deepEqual(read().area, FIRST);
  assert.ok(read().drawing.line !== null);
  actions.undoShapes();
  assert.equal(read().drawing.line, null);
  actions.undoShapes();
  assert.equal(read().area, null);
  actions.undoShapes();
  for (let i = 0; i < 4; i++) actions.redoShapes();
  assert.deepEqual([read().area, read().drawing.future.length], [SECOND, 0]);
  actions.setArea(null);
  assert.equal(read().drawing.past.length, 4);
});

test('a clipped picture follows the area; without an area it is not clipped', async () => {
  const { actions, read, stored } = makeBench();
  await actions.clipToArea(true);
  assert.equal(read().picture.clip, null);
  actions.setArea(FIRST);
  assert.equal(stored.length, 0, 'nothing is stored before it is needed');
  await actions.clipToArea(true);
  assert.equal(read().picture.clip, ref('1'));
  actions.setArea(SECOND);
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual([read().picture.clip, stored.at(-1)], [ref('2'), SECOND.outline]);
  actions.setArea(null);
  assert.equal(read().picture.clip, null);
});

test('two compared scenes are clipped together, and unclipped together', async () => {
  const side = { scene: { viewId: 'S2/1' } as Scene, picture: PLAIN_PICTURE };
  const comparison = {
    mode: 'swipe',
    left: side,
    right: side,
    split: 0.5,
    measure: null,
    limit: null,
  } as const;
  const { actions, read } = makeBench({}, { area: FIRST, comparison });
  const readClips = () => [read().comparison?.left.picture.clip, read().comparison?.right.picture.clip];
  await actions.clipToArea(true);
  assert.deepEqual(readClips(), [ref('1'), ref('1')]);
  await actions.clipToArea(false);
  assert.deepEqual(readClips(), [null, null]);
});

test('the later of two areas stored concurrently is used', async () => {
  const answers: ((ref: string) => void)[] = [];
  const { actions, read } = makeBench({
    storeArea: () => new Promise<string>((resolve) => void answers.push(resolve)),
  });
  actions.setArea(FIRST);
  const first = actions.clipToArea(true);
  const second = actions.clipToArea(true);
  answers[1]?.(ref('b'));
  answers[0]?.(ref('a'));
  await Promise.all([first, second]);
  assert.equal(read().picture.clip, ref('b'));
});

test('an area that the server refuses clips nothing, and shows the reason', async () => {
  const { actions, read } = makeBench({
    storeArea: () => Promise.reject(new Failure(422, 'The ring crosses itself.', 'area-self-crossing')),
  });
  actions.setArea(FIRST);
  await actions.clipToArea(true);
  assert.equal(read().picture.clip, null);
  assert.deepEqual(
    read().notices.map(({ text }) => text),
    ['The ring crosses itself.'],
  );
});

test('an address with a clipped picture loads its area; a missing one is stored again or dropped', async () => {
  const picture = { ...INITIAL_STATE.picture, clip: ref('a') };
  const known = makeBench({ readArea: async () => SECOND.outline }, { picture });
  await known.actions.restoreClip();
  assert.deepEqual(known.read().area, SECOND);

  const gone: Partial<Api> = { readArea: () => Promise.reject(new Failure(404, 'Unknown.', 'unknown-area')) };
  const again = makeBench(gone, { picture, area: FIRST });
  await again.actions.restoreClip();
  assert.deepEqual([again.read().picture.clip, again.stored], [ref('1'), [FIRST.outline]]);

  const lost = makeBench(gone, { picture });
  await lost.actions.restoreClip();
  assert.equal(lost.read().picture.clip, null);
  assert.equal(lost.read().notices[0]?.text, en.area.clipLost);
});

test('scenes of the area are searched again when the area changes', async () => {
  const query = { ...PLAIN_QUERY, where: { kind: 'area' } } as const;
  const { actions, read, searched } = makeBench({}, { area: FIRST });
  actions.setArea(SECOND);
  assert.equal(searched.length, 0);
  await actions.searchArea();
  assert.deepEqual([read().query, read().panel], [query, 'find']);
  actions.setArea(FIRST);
  assert.equal(searched.length, 2);
});

test('one shape of a file is used and shown, several are offered, too many points are refused', () => {
  const { actions, read } = makeBench();
  actions.offerShapes('one.kml', [{ kind: 'area', ...FIRST }]);
  assert.deepEqual([read().area, read().drawing.offered], [FIRST, null]);
  assert.deepEqual(read().goal, { kind: 'box', box: [1, 2, 2, 3], isAnimated: true });
  const line = { kind: 'line', positions: box(7, 7), name: 'path' } as const;
  actions.offerShapes('two.kml', [{ kind: 'area', ...SECOND }, line]);
  assert.deepEqual(read().area, FIRST);
  assert.equal(read().drawing.offered?.shapes.length, 2);
  actions.chooseShape(line);
  assert.equal(read().drawing.line?.name, 'path');
  const track = Array.from({ length: 10_001 }, (_, i): Position => [i / 1000, 1]);
  actions.chooseShape({ kind: 'line', positions: track, name: null });
  assert.match(read().notices[0]?.text ?? '', /10,001 points/);
  assert.equal(read().drawing.line?.name, 'path');
});

test('a long area is stored in the tab; a full browser storage is reported', () => {
  const kept: Area[] = [];
  const roomy = makeBench({}, {}, { storeArea: (area) => kept.push(area) > 0 });
  roomy.actions.setArea(FIRST);
  roomy.actions.setArea(LONG);
  assert.deepEqual(
    kept.map(({ name }) => name),
    ['coast'],
  );
  const full = makeBench({}, {}, { storeArea: () => false });
  full.actions.setArea(LONG);
  assert.equal(full.read().notices[0]?.text, en.area.notStored);
});

test('an address loads its shapes, from the tab if they are too long, and undo restores the previous ones', () => {
  const { actions, read } = makeBench({}, { area: SECOND }, { readArea: () => LONG });
  actions.followShapes(parseAddress('#area=1,2;2,2;2,3&line=0,0;1,1'));
  assert.deepEqual(read().area, FIRST);
  assert.equal(read().drawing.line?.positions.length, 2);
  actions.followShapes(parseAddress('#area=stored'));
  assert.equal(read().area?.name, 'coast');
  actions.undoShapes();
  assert.deepEqual(read().area, FIRST);
  const lost = makeBench();
  lost.actions.followShapes(parseAddress('#area=stored'));
  assert.equal(lost.read().notices[0]?.text, en.area.lost);
});

test('a long line is stored in the tab and restored with its address; a full browser storage is reported', () => {
  const long: Line = {
    positions: LONG_RING,
    name: 'track',
  };
  const written: Line[] = [];
  const { actions, read } = makeBench(
    {},
    {},
    { storeLine: (line) => written.push(line) > 0, readLine: () => written[0] ?? null },
  );
  actions.setLine({ positions: box(0, 0), name: null });
  assert.equal(written.length, 0);
  actions.setLine(long);
  assert.equal(written[0]?.name, 'track');
  actions.setLine(null);
  actions.followShapes(parseAddress('#line=stored'));
  assert.deepEqual(read().drawing.line, written[0]);

  const full = makeBench({}, {}, { storeLine: () => false });
  full.actions.setLine(long);
  assert.equal(full.read().notices[0]?.text, en.area.lineNotStored);
  const lost = makeBench();
  lost.actions.followShapes(parseAddress('#line=stored'));
  assert.equal(lost.read().notices[0]?.text, en.area.lineLost);
});

test('an address with the current shapes adds nothing to undo', () => {
  const { actions, read } = makeBench({}, {}, { readArea: () => structuredClone(LONG) });
  actions.setArea(FIRST);
  actions.setLine({
    positions: [
      [0, 0],
      [1, 1],
    ],
    name: null,
  });
  actions.followShapes(parseAddress('#area=1,2;2,2;2,3&line=0,0;1,1'));
  assert.equal(read().drawing.past.length, 2);
  const long = makeBench({}, { area: LONG }, { readArea: () => structuredClone(LONG) });
  long.actions.followShapes(parseAddress('#area=stored'));
  assert.deepEqual([long.read().drawing.past.length, long.read().area], [0, LONG]);
});
