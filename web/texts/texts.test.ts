import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aliasNames } from '../../src/sensors/index.ts';
import { LANGUAGES, loadLaterTexts, loadMessages, loadTexts, planLanguage } from './choose-texts.ts';
import { de } from './de.ts';
import { en, english } from './en.ts';
import { englishAccount } from './en-account.ts';
import { englishFields } from './en-fields.ts';
import { formatBytes, formatDate, formatNumber, formatPercent, formatTime } from './format.ts';
import { namesOf, parseMessage } from './messages.ts';

/** Every message with its path, `find.found`. */
const listMessages = (messages: object, before = ''): [path: string, message: string][] =>
  Object.entries(messages).flatMap(([name, inner]) =>
    typeof inner === 'string'
      ? [[`${before}${name}`, inner]]
      : listMessages(inner as object, `${before}${name}.`),
  );
/** Those of parts that are loaded later are groups of the other languages too. */
const originals = new Map(listMessages({ ...english, fields: englishFields, account: englishAccount }));

/** Groups whose names are data, so that a translation may have names that English leaves to the server. */
const OPEN_GROUPS = /^indices\./;
/** Texts that a developer may add before a translator has seen them. */
const MAX_MISSING_SHARE = 0.15;

for (const { code, name } of LANGUAGES) {
  if (code === 'en') continue;
  test(`${name} has the keys and placeholders of English, and a line for every index`, async (t) => {
    const messages = await loadMessages(code);
    const translations = new Map(listMessages(messages));
    assert.deepEqual(
      [...translations.keys()].filter((path) => !originals.has(path) && !OPEN_GROUPS.test(path)),
      [],
      'keys that English does not have',
    );
    for (const [path, message] of translations) {
      assert.notEqual(message.trim(), '', path);
      const names = namesOf(parseMessage(message));
      const original = originals.get(path);
      if (original === undefined) assert.deepEqual(names, [], path);
      else assert.deepEqual(names.toSorted(), namesOf(parseMessage(original)).toSorted(), path);
    }
    const missing = [...originals.keys()].filter((path) => !translations.has(path));
    for (const path of missing) t.diagnostic(`not translated: ${path}`);
    assert.ok(
      missing.length <= originals.size * MAX_MISSING_SHARE,
      `${missing.length} of ${originals.size} messages are not translated: ${missing.slice(0, 20).join(', ')} …`,
    );
    for (const index of aliasNames) assert.ok(translations.has(`indices.${index}.description`), index);
    assert.equal(translations.get('language'), name);
  });
}

test('the language is the chosen one, or the first available one of the browser, or English', async () => {
  assert.equal(planLanguage('de', ['en-US']), 'de');
  assert.equal(planLanguage(null, ['xx-XX', 'de-AT', 'en']), 'de');
  assert.equal(planLanguage(null, ['nb']), 'en');
  assert.equal((await loadTexts('de')).panels.find, 'Suchen');
  assert.equal(await loadTexts('en'), en);
});

test('texts that are loaded later are in the language of the page', async () => {
  const later = await loadLaterTexts('fields', englishFields, 'de');
  assert.equal(later.more(1200), '1.200 weitere zeigen');
  assert.equal((await loadLaterTexts('fields', englishFields, 'en')).more(1200), 'Show 1,200 more');
});

test('counts have their plural', () => {
  assert.equal(en.find.found(1), '1 scene');
  assert.equal(de.find.found(2), '2 Szenen');
});

test('days, percentages and values follow the language', () => {
  assert.equal(formatDate('2026-06-21', 'en-GB'), '21 Jun 2026');
  assert.equal(formatDate('2026-06-21', 'de-DE'), '21. Juni 2026');
  assert.equal(formatDate('soon', 'en-GB'), 'soon');
  assert.equal(formatPercent(3.4, 'en-GB'), '3%');
  assert.equal(formatNumber(-0.12345, 'en-GB'), '−0.123');
  assert.equal(formatNumber(1234.4, 'de-DE'), '1234');
  assert.equal(formatNumber(0.5, 'de-DE'), '0,5');
});

test('sizes have steps of a thousand, times follow the clock of the device', () => {
  assert.equal(formatBytes(0, 'en-GB'), '0 bytes');
  assert.equal(formatBytes(999, 'en-GB'), '999 bytes');
  assert.equal(formatBytes(1_234_567, 'en-GB'), '1.23 MB');
  assert.equal(formatBytes(1_234_567, 'de-DE'), '1,23 MB');
  assert.equal(formatBytes(5e12, 'en-GB'), '5,000 GB');
  assert.match(formatTime('2026-11-16T15:52:00.000Z', 'en-GB'), /^1[567] Nov, \d{2}:\d{2}$/);
  assert.equal(formatTime('soon', 'en-GB'), 'soon');
});
