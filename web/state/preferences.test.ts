import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePreferences } from './preferences.ts';

test('stored preferences are read back, and unknown ones become the default', () => {
  const plain = { language: null, theme: 'system', units: 'metric', hasTimings: false };
  const chosen = { language: 'de', theme: 'dark', units: 'imperial', hasTimings: true };
  assert.deepEqual(parsePreferences(JSON.stringify(chosen)), chosen);
  for (const text of [null, '', 'null', '7', '{"theme":"pink","language":"xx"}', '{bad']) {
    assert.deepEqual(parsePreferences(text), plain, String(text));
  }
});
