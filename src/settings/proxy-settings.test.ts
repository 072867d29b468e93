import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeConfig, parseConfig } from './config.ts';
import { toProxy } from './proxy-settings.ts';

const read = (env: Record<string, string>) => toProxy(parseConfig(env));

test('without a variable there is no proxy', () => {
  assert.equal(read({}), undefined);
  assert.equal(read({ HTTPS_PROXY: '', https_proxy: '', NO_PROXY: 'a.example' }), undefined);
});

test('both spellings are read, and lower case takes precedence', () => {
  assert.deepEqual(read({ HTTPS_PROXY: 'http://a:1', HTTP_PROXY: 'b.example:3128', no_proxy: 'c, .d' }), {
    https: 'http://a:1/',
    http: 'http://b.example:3128/',
    noProxy: 'c, .d',
  });
  assert.deepEqual(read({ HTTPS_PROXY: 'http://a:1', https_proxy: 'https://b' }), { https: 'https://b/' });
  assert.deepEqual(read({ HTTPS_PROXY: 'http://a:1', https_proxy: '' }), { https: 'http://a:1/' });
});

test('network sources, and so all threads, get the proxy', () => {
  const env = { SWATH_SOURCES: 'https://data.example', HTTPS_PROXY: 'http://u:secret@proxy:3128' };
  const config = parseConfig(env);
  assert.deepEqual(config.sources.network?.proxy, { https: 'http://u:secret@proxy:3128/' });
  assert.equal(parseConfig({ HTTPS_PROXY: 'http://proxy:3128' }).sources.network, undefined);
  assert.doesNotMatch(JSON.stringify(describeConfig(config, env)), /secret/);
  const row = describeConfig(config, env).find(({ variable }) => variable === 'HTTPS_PROXY');
  assert.deepEqual(row, { variable: 'HTTPS_PROXY', value: 'http://…@proxy:3128/', fromEnvironment: true });
});

test('an invalid proxy address stops the startup, and the message does not repeat it', () => {
  const wrong = [
    'socks5://u:secret@a',
    'http://',
    'http://a/secret',
    'http://u:secret%zz@a',
    'u:secret@a:99999',
  ];
  for (const text of wrong) {
    assert.throws(
      () => parseConfig({ HTTPS_PROXY: text }),
      ({ message }: Error) =>
        /HTTPS_PROXY must be the http or https address/.test(message) && !/secret/.test(message),
      text,
    );
  }
});
