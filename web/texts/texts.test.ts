import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aliasNames } from '../../src/sensors/index.ts';
import { chooseTexts, LANGUAGES, planLanguage } from './choose-texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { formatBytes, formatDate, formatNumber, formatPercent, formatTime } from './format.ts';

/** Paths of all texts: functions count as texts. */
const listPaths = (value: object, before = ''): string[] =>
  Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'object' ? listPaths(inner as object, `${before}${name}.`) : [`${before}${name}`],
  );

test('German has every text of English, none empty, and the lines of all indices', () => {
  const english = listPaths(en);
  const german = new Set(listPaths(de));
  assert.deepEqual(
    english.filter((path) => !german.has(path)),
    [],
  );
  for (const name of aliasNames) assert.ok(de.indices[name]?.description, name);
  const empty = listPaths(de).filter((path) => {
    const text = path
      .split('.')
      .reduce<unknown>((inner, part) => (inner as Record<string, unknown>)[part], de);
    return text === '';
  });
  assert.deepEqual(empty, []);
});

test('the language is the chosen one, or the first of the browser that there is, or English', () => {
  assert.equal(planLanguage('de', ['en-US']), 'de');
  assert.equal(planLanguage(null, ['fr-FR', 'de-AT', 'en']), 'de');
  assert.equal(planLanguage(null, ['fr']), 'en');
  assert.equal(chooseTexts('de').panels.find, 'Suchen');
  assert.deepEqual(
    LANGUAGES.map(({ name }) => name),
    ['English', 'Deutsch'],
  );
});

test('counts have their plural', () => {
  assert.equal(en.find.found(1), '1 scene');
  assert.equal(de.find.found(2), '2 Szenen');
});

test('days, percents and values are written as the language does', () => {
  assert.equal(formatDate('2026-06-21', 'en-GB'), '21 Jun 2026');
  assert.equal(formatDate('2026-06-21', 'de-DE'), '21. Juni 2026');
  assert.equal(formatDate('soon', 'en-GB'), 'soon');
  assert.equal(formatPercent(3.4, 'en-GB'), '3%');
  assert.equal(formatNumber(-0.12345, 'en-GB'), '−0.123');
  assert.equal(formatNumber(1234.4, 'de-DE'), '1234');
  assert.equal(formatNumber(0.5, 'de-DE'), '0,5');
});

test('sizes in steps of a thousand, times by the clock of the device', () => {
  assert.equal(formatBytes(0, 'en-GB'), '0 bytes');
  assert.equal(formatBytes(999, 'en-GB'), '999 bytes');
  assert.equal(formatBytes(1_234_567, 'en-GB'), '1.23 MB');
  assert.equal(formatBytes(1_234_567, 'de-DE'), '1,23 MB');
  assert.equal(formatBytes(5e12, 'en-GB'), '5,000 GB');
  assert.match(formatTime('2026-11-16T15:52:00.000Z', 'en-GB'), /^1[567] Nov, \d{2}:\d{2}$/);
  assert.equal(formatTime('soon', 'en-GB'), 'soon');
});
