import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeViewerScene as makeScene } from '../../test/support/viewer-scene.ts';
import { makeStore } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { INITIAL_STATE } from '../state/viewer-state.ts';
import { makeClassActions } from './measure-classes.ts';

test('the scene that is measured is shown by itself, also where it stood for the sensor of the clear view', () => {
  const scene = makeScene(14);
  const store = makeStore<ViewerState>({
    ...INITIAL_STATE,
    shown: scene,
    clearView: { date: null, days: 30 },
  });
  const actions = makeClassActions({ store });
  actions.showMeasuredScene(scene);
  assert.equal(store.read().clearView, null);
  const alone = store.read();
  actions.showMeasuredScene(scene);
  assert.equal(store.read(), alone, 'nothing changes for a scene that is shown by itself');
});
