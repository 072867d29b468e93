import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from './address.ts';
import { startAddressBar } from './address-bar.ts';
import { PLAIN_ANIMATION, toAnimation } from './animation.ts';
import { PLAIN_CLEAR_VIEW } from './clear-view.ts';
import { makeStore } from './store.ts';
import type { ViewerState } from './viewer-state.ts';
import { INITIAL_STATE } from './viewer-state.ts';

const makeBench = () => {
  const location = { hash: '', pathname: '/' };
  const written: string[] = [];
  const listeners: (() => void)[] = [];
  const followed: Address[] = [];
  const write = (kind: string) => (_: null, __: '', url: string) => {
    location.hash = url;
    written.push(`${kind} ${url}`);
  };
  const store = makeStore<ViewerState>({ ...INITIAL_STATE, clearView: PLAIN_CLEAR_VIEW });
  startAddressBar({
    store,
    location,
    history: { pushState: write('push'), replaceState: write('replace') },
    onChange: (listener) => void listeners.push(listener),
    follow(address) {
      followed.push(address);
      store.update((state) => ({ ...state, panel: address.panel ?? null }));
    },
  });
  const update = (change: Partial<ViewerState>): void => store.update((state) => ({ ...state, ...change }));
  return { location, written, listeners, followed, update };
};

test('nothing is written before the page is ready; moving the map replaces the entry, opening a panel pushes one', () => {
  const { written, update } = makeBench();
  update({ panel: 'look' });
  assert.deepEqual(written, []);
  update({ phase: { kind: 'ready' } });
  update({ view: { zoom: 3, lat: 1, lon: 2 } });
  update({ panel: 'settings' });
  update({ opacity: 0.5 });
  assert.deepEqual(written, [
    'replace #panel=look',
    'replace #map=3.00/1.00000/2.00000&panel=look',
    'push #map=3.00/1.00000/2.00000&panel=settings',
    'replace #map=3.00/1.00000/2.00000&opacity=50&panel=settings',
  ]);
});

test('navigating back is followed without a new entry, and ignored parts of the address are corrected', () => {
  const { location, written, listeners, followed, update } = makeBench();
  update({ phase: { kind: 'ready' }, view: { zoom: 3, lat: 1, lon: 2 } });
  written.length = 0;
  location.hash = '#panel=look&colormap=../x';
  for (const listener of listeners) listener();
  assert.deepEqual([followed[0]?.panel, followed[0]?.picture.colormap], ['look', null]);
  assert.deepEqual(written, ['replace #map=3.00/1.00000/2.00000&panel=look']);
});

test('an animation writes its day while it is paused, but not while it plays', () => {
  const { written, update } = makeBench();
  update({ phase: { kind: 'ready' }, animation: { ...PLAIN_ANIMATION, date: '2026-06-11' } });
  update({ animation: { ...PLAIN_ANIMATION, date: '2026-06-16' } });
  update({ animation: { ...PLAIN_ANIMATION, date: '2026-06-16', isPlaying: false } });
  assert.deepEqual(written, ['replace #animate=2', 'replace #animate=2&animate.date=2026-06-16']);
  const { date, isPlaying, viewId } = toAnimation(
    { framesPerSecond: 2, isLooping: true, maxCloudPercent: 30, date: '2026-06-16' },
    { ...PLAIN_ANIMATION, viewId: 'S2/1' },
  );
  assert.deepEqual({ date, isPlaying, viewId }, { date: '2026-06-16', isPlaying: false, viewId: null });
});
