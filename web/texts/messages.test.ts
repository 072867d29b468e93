import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMessage, toTexts } from './messages.ts';

const source = {
  locale: 'en-GB',
  plain: 'It’s “here”',
  found: '{count, plural, =0 {nothing} one {# scene} other {# scenes}} of {day}',
  group: { both: '{left} − {right}', twice: '{a} and {b} and {a}' },
} as const;

test('English placeholders and plurals are filled in', () => {
  const texts = toTexts(source, source);
  assert.equal(texts.plain, 'It’s “here”');
  assert.equal(texts.found(0, 'May'), 'nothing of May');
  assert.equal(texts.found(1, 'May'), '1 scene of May');
  assert.equal(texts.found(12345, 'May'), '12,345 scenes of May');
  assert.equal(texts.group.twice('x', 2), 'x and 2 and x');
});

test('a translation has its own plural forms, numbers and order', () => {
  const texts = toTexts(source, {
    locale: 'uk-UA',
    found: '{day}: {count, plural, one {# знімок} few {# знімки} many {# знімків} other {# знімка}}',
    group: { both: '{right} після {left}' },
  });
  assert.deepEqual(
    [1, 3, 5, 21, 1.5].map((count) => texts.found(count, 'x')),
    ['x: 1 знімок', 'x: 3 знімки', 'x: 5 знімків', 'x: 21 знімок', 'x: 1,5 знімка'],
  );
  assert.equal(texts.group.both('a', 'b'), 'b після a');
});

test('a missing message falls back to English, with English plurals and numbers', () => {
  const texts = toTexts(source, { locale: 'fr-FR', group: { both: '{left} moins {right}' } });
  assert.equal(texts.plain, 'It’s “here”');
  // In French, 0 and 1.5 would be singular.
  assert.equal(texts.found(1.5, 'May'), '1.5 scenes of May');
  assert.equal(texts.group.both('a', 'b'), 'a moins b');
  assert.equal(texts.group.twice('x', 'y'), 'x and y and x');
});

test('names that only the translation has are available too', () => {
  const texts = toTexts(
    { locale: 'en', indices: {} as Readonly<Record<string, { title: string }>> },
    {
      locale: 'de',
      indices: { NDVI: { title: 'Vegetation' } },
    },
  );
  assert.equal(texts.indices.NDVI?.title, 'Vegetation');
});

test('damaged messages are refused', () => {
  for (const message of ['{', '{a', 'a}', '{}', '{a, plural, one {x}}', '{a, plural, other {x}', '{a b}'])
    assert.throws(() => parseMessage(message), /The message/, message);
});

test('the arguments of a message are typed by its English version', () => {
  const texts = toTexts(source, source);
  // @ts-expect-error: a plural counts.
  assert.equal(texts.found('many', 'May'), 'many scenes of May');
  // @ts-expect-error: one argument is missing.
  assert.equal(texts.group.both('a'), 'a − ');
});
