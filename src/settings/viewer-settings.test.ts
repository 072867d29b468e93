import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBaseMap, toBaseMapOrigin } from './viewer-settings.ts';

test('a base map is an https address with an attribution', () => {
  assert.deepEqual(parseBaseMap('https://tiles.example.org/{z}/{x}/{y}.png?key=a © Example contributors'), {
    url: 'https://tiles.example.org/{z}/{x}/{y}.png?key=a',
    attribution: '© Example contributors',
  });
  const tilejson = parseBaseMap('https://tiles.example.org:8443/map.json Example');
  assert.equal(toBaseMapOrigin(tilejson), 'https://tiles.example.org:8443');
});

test('an address that is not https, or without an attribution, is refused with an explanation', () => {
  const cases: readonly (readonly [text: string, reason: RegExp])[] = [
    ['http://tiles.example.org/{z}/{x}/{y}.png © Example', /must begin with an https address/],
    ['/tiles/{z}/{x}/{y}.png © Example', /https address/],
    ['javascript:alert(1) x', /https address/],
    ['https://user:secret@tiles.example.org/{z}/{x}/{y} x', /https address/],
    ['https://tiles.example.org/{z}/{x}/{y}.png', /must name who made the map/],
    ['https://tiles.example.org/{z}/{x}.png © Example', /all of \{z\}, \{x\} and \{y\}/],
    // Nothing of an address may end up as another directive of the content policy.
    ["https://tiles.example.org;script-src'unsafe-inline'/{z}/{x}/{y} x", /https address|without spaces/],
    ['https://*.example.org/{z}/{x}/{y} x', /without spaces|https address/],
  ];
  for (const [text, reason] of cases) assert.throws(() => parseBaseMap(text), reason, text);
});
