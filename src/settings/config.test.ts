import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeConfig, parseConfig } from './config.ts';
import { settings } from './settings.ts';

test('an empty environment gives the documented defaults', () => {
  const config = parseConfig({});
  assert.equal(config.port, 8080);
  assert.equal(config.host, '127.0.0.1');
  assert.match(config.dataDir, /data$/);
  assert.equal(config.apiKey, null);
  assert.ok(config.threads >= 1);
  assert.ok(Object.isFrozen(config));
});

test('an empty value means not set', () => {
  assert.equal(parseConfig({ SWATH_PORT: '' }).port, 8080);
});

test('all problems are reported together, each with its variable', () => {
  const env = { SWATH_PORT: '80a', SWATH_THREADS: '0', SWATH_LOG: 'loud', SWATH_PROT: '1', PATH: '/bin' };
  assert.throws(
    () => parseConfig(env),
    (error: Error) => {
      for (const name of ['SWATH_PORT', 'SWATH_THREADS', 'SWATH_LOG', 'SWATH_PROT']) {
        assert.ok(error.message.includes(name), `${name} in: ${error.message}`);
      }
      assert.match(error.message, /^4 settings are wrong/);
      return true;
    },
  );
});

test('numbers have one strict grammar', () => {
  for (const text of ['0x10', '1e3', '-1', '65536', ' 80', '80.0', 'Infinity', '٣']) {
    assert.throws(
      () => parseConfig({ SWATH_PORT: text }),
      /SWATH_PORT must be a whole number from 0 to 65535/,
      text,
    );
  }
  assert.equal(parseConfig({ SWATH_PORT: '0' }).port, 0);
  assert.equal(parseConfig({ SWATH_PORT: '65535' }).port, 65_535);
});

test('a wrong secret is refused without being shown', () => {
  assert.throws(
    () => parseConfig({ SWATH_API_KEY: 'hunter2!' }),
    (error: Error) => error.message.includes('SWATH_API_KEY must be') && !error.message.includes('hunter2'),
  );
  const env = { SWATH_API_KEY: 'a-long-enough-secret-key' };
  const shown = describeConfig(parseConfig(env), env).find((row) => row.variable === 'SWATH_API_KEY');
  assert.deepEqual(shown, { variable: 'SWATH_API_KEY', value: '(set, hidden)', fromEnvironment: true });
});

test('a public address loses its trailing slash and may not carry a query', () => {
  assert.equal(
    parseConfig({ SWATH_PUBLIC_URL: 'https://tiles.example.org/x/' }).publicUrl,
    'https://tiles.example.org/x',
  );
  for (const text of ['ftp://a', 'tiles.example.org', 'https://a/?b', 'https://u:p@a/']) {
    assert.throws(() => parseConfig({ SWATH_PUBLIC_URL: text }), /SWATH_PUBLIC_URL must be/, text);
  }
});

test('docs/operate/settings.md lists every setting with its default', () => {
  const docs = readFileSync(new URL('../../docs/operate/settings.md', import.meta.url), 'utf8');
  for (const { variable, fallbackText, summary } of Object.values(settings)) {
    const row = `| \`${variable}\` | ${fallbackText} | ${summary} |`;
    assert.ok(docs.includes(row), `docs/operate/settings.md lacks the row: ${row}`);
  }
});

test('a data directory behind a link is known by its real path, even before it exists', (t) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'swath-link-')));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  for (const inside of ['', 'data', 'data/below']) {
    const { dataDir } = parseConfig({ SWATH_DATA: join(folder, 'link', inside) });
    assert.equal(dataDir, join(folder, 'real', inside).replace(/\/$/, ''));
  }
});
