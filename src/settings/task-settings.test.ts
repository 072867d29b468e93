import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeCallbackHosts, parseCallbackHosts, publicHosts } from './task-settings.ts';

test('hosts, ports and networks are read, and shown', () => {
  assert.equal(parseCallbackHosts('off'), null);
  assert.deepEqual(
    parseCallbackHosts('hooks.example.org *.example.com:8443  [fd00::1]:9000 10.0.0.0/8 fd00::/8'),
    {
      allowHttp: true,
      hosts: ['hooks.example.org', '*.example.com', '[fd00::1]'],
      ports: [443, 80, 8443, 9000],
      privateNetworks: ['10.0.0.0/8', 'fd00::/8'],
    },
  );
  assert.equal(parseCallbackHosts('10.0.0.0/8')?.hosts, undefined, 'any host');
  assert.equal(describeCallbackHosts(null), 'off');
  assert.equal(describeCallbackHosts(publicHosts), '(any host with a public address)');
  assert.equal(
    describeCallbackHosts(parseCallbackHosts('a.example:8443 10.0.0.0/8')),
    'a.example 10.0.0.0/8, also at port 8443',
  );
});

test('anything but a host or a network is refused', () => {
  // The last word of "a.example off" is a host name like any other.
  for (const text of [
    'https://hooks.example.org',
    'hooks.example.org/path',
    'a.example:0',
    'a.example:65536',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/',
    'a.example off',
    'user@a.example',
  ])
    if (text === 'a.example off') assert.deepEqual(parseCallbackHosts(text)?.hosts, ['a.example', 'off']);
    else assert.throws(() => parseCallbackHosts(text), /^Error: lists "/, text);
});
