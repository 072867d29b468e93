import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestRoutes } from '../../src/http/testing/make-test-routes.ts';
import { LARGEST } from './largest-requests.ts';

test('every route has its largest requests, which the event loop is measured with', () => {
  const names = makeTestRoutes().routes.map((route) => `${route.method} ${route.shownPath}`);
  assert.deepEqual(Object.keys(LARGEST).sort(), names.sort(), 'a route has no entry in largest-requests.ts');
});
