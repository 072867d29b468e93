import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from '../api/api.ts';
import { Failure } from '../api/failure.ts';
import type { ColormapDraft } from '../scenes/own-colormap.ts';
import { toColormapBody } from '../scenes/own-colormap.ts';
import { makeStore } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { INITIAL_STATE } from '../state/viewer-state.ts';
import { en } from '../texts/en.ts';
import { makePictureActions } from './choose-picture.ts';
import { makeColormapActions } from './own-colormaps.ts';
import { makeReport } from './report.ts';

const ID = 'ab'.repeat(16);
const OTHER = 'cd'.repeat(16);
const draft: ColormapDraft = {
  name: 'mine',
  stops: [
    { position: 0, color: '#000000' },
    { position: 1, color: '#ffffff' },
  ],
  isDiscrete: false,
  isAbsolute: false,
};

const makeBench = (answer: Api['call'], state: Partial<ViewerState> = {}) => {
  const store = makeStore<ViewerState>({ ...INITIAL_STATE, ...state });
  const keys = { readKey: () => 'k', setKey: () => {}, forgetKey: () => {} };
  const shapes = { readArea: () => null, storeArea: () => true, readLine: () => null, storeLine: () => true };
  const api = { call: answer } as unknown as Api;
  const parts = { store, api, keys, shapes, texts: en, isNarrow: () => false, sleep: async () => {} };
  const report = makeReport(parts);
  const pictures = makePictureActions(parts, report);
  return { actions: makeColormapActions(parts, { report, pictures }), read: store.read };
};

test('a saved colormap is shown, first in the list, and replaces the edited one', async () => {
  const bodies: unknown[] = [];
  const { actions, read } = makeBench(
    async (path, { method, body }) => {
      bodies.push([method, path, body]);
      return { id: ID };
    },
    { ownColormaps: [{ ...draft, id: OTHER, isSaved: true }] },
  );
  assert.equal(await actions.saveColormap(draft, OTHER), null);
  assert.deepEqual(bodies, [['POST', 'api/render/colormap/', toColormapBody(draft)]]);
  assert.deepEqual(read().ownColormaps, [{ ...draft, id: ID, isSaved: true }]);
  assert.equal(read().picture.colormap, ID);
});

test("a refused colormap shows the server's message and changes nothing; a wrong key asks for another", async () => {
  const refusal = new Failure(400, 'Positions in "colors" must not decrease.', 'bad-colormap');
  const refused = makeBench(() => Promise.reject(refusal));
  assert.equal(await refused.actions.saveColormap(draft, null), refusal.message);
  assert.deepEqual([refused.read().ownColormaps, refused.read().picture.colormap], [[], null]);
  const reader = makeBench(() => Promise.reject(new Failure(403, 'This key may only read.', 'role-needed')));
  assert.equal(await reader.actions.saveColormap(draft, null), 'This key may only read.');
  const revoked = makeBench(() => Promise.reject(new Failure(403, 'This key was revoked.', 'bad-key')));
  await revoked.actions.saveColormap(draft, null);
  assert.equal(revoked.read().phase.kind, 'needs-key');
});

test('a deleted colormap disappears from the list and the map, even if another key made it', async () => {
  const state = {
    ownColormaps: [{ ...draft, id: ID, isSaved: true }],
    picture: { ...INITIAL_STATE.picture, colormap: `${ID}_r` },
  };
  const gone = makeBench(() => Promise.reject(new Failure(404, 'Unknown.', 'unknown-colormap')), state);
  await gone.actions.deleteColormap(ID);
  assert.deepEqual([gone.read().ownColormaps, gone.read().picture.colormap], [[], null]);
  const away = makeBench(() => Promise.reject(new Failure(503, 'Away.', 'store-unavailable')), state);
  await away.actions.deleteColormap(ID);
  assert.deepEqual([away.read().ownColormaps.length, away.read().notices[0]?.text], [1, 'Away.']);
});

test('the colours of an address are read once, and not stored', async () => {
  let asked = 0;
  const { actions, read } = makeBench(async () => {
    asked++;
    return toColormapBody(draft);
  });
  for (const name of [null, 'viridis', `${ID}_r`, ID]) await actions.learnColormap(name);
  assert.equal(asked, 1);
  assert.deepEqual(read().ownColormaps, [{ ...draft, name: 'Shared colours', id: ID, isSaved: false }]);
  const lost = makeBench(() => Promise.reject(new Failure(404, 'Unknown.', 'unknown-colormap')));
  await lost.actions.learnColormap(ID);
  assert.deepEqual(lost.read().notices, [], 'the tiles tell it');
});
