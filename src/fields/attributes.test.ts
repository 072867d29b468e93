import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAttributes } from './attributes.ts';

test('strings are trimmed, numbers become strings, and omitted attributes stay omitted', () => {
  assert.deepEqual(parseAttributes({ name: '  Nord ', externalId: 42, group: '', crop: null }), {
    name: 'Nord',
    externalId: '42',
    group: null,
    crop: null,
  });
  assert.deepEqual(parseAttributes({}), {});
});

test('a sowing date is a day, in any notation that tables use', () => {
  for (const [written, read] of [
    ['2026-04-20', '2026-04-20'],
    ['2026/04/20', '2026-04-20'],
    ['2026-04-20T10:00:00Z', '2026-04-20'],
    ['2026-04-20 10:00', '2026-04-20'],
    ['', null],
    [null, null],
  ] as const) {
    assert.deepEqual(parseAttributes({ sownOn: written }), { sownOn: read }, String(written));
  }
  for (const wrong of ['2026-02-30', '20.4.2026', 20260420, true, {}, 'x']) {
    assert.throws(() => parseAttributes({ sownOn: wrong }), { code: 'bad-sown-on' }, String(wrong));
  }
});

test('properties are flat and in a fixed order', () => {
  const { properties } = parseAttributes({ properties: { b: 1, a: 'x', c: null, d: true } });
  assert.equal(JSON.stringify(properties), '{"a":"x","b":1,"c":null,"d":true}');
  const wrong = [[], 'x', 1, { a: {} }, { a: [1] }, { a: Number.NaN }, { a: 'x'.repeat(16_384) }];
  for (const given of wrong) {
    assert.throws(() => parseAttributes({ properties: given }), { code: 'bad-properties' });
  }
  const named = JSON.parse('{"__proto__": 1}') as object;
  assert.equal(JSON.stringify(parseAttributes({ properties: named }).properties), '{"__proto__":1}');
});

test('a refusal names the wrong attribute', () => {
  for (const [given, code] of [
    [{ name: '' }, 'bad-name'],
    [{ name: null }, 'bad-name'],
    [{ name: 'a\nb' }, 'bad-name'],
    [{ name: 'x'.repeat(121) }, 'bad-name'],
    [{ group: 'a\u0000' }, 'bad-group'],
    [{ crop: '\ud800' }, 'bad-crop'],
    [{ externalId: {} }, 'bad-external-id'],
  ] as const) {
    assert.throws(() => parseAttributes(given), { tag: 'bad-input', code }, JSON.stringify(given));
  }
});
