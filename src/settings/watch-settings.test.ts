import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMayMail, watchSettings } from './watch-settings.ts';

test('a mail server is read from its address, and refused with the expected form', () => {
  const { parse } = watchSettings.mailServer;
  assert.deepEqual(parse('smtp://ann%40a.org:s%3Acret@mail.example.org'), {
    host: 'mail.example.org',
    port: 587,
    isSecure: false,
    user: 'ann@a.org',
    password: 's:cret',
  });
  assert.deepEqual(parse('smtps://mail.example.org:1465/'), {
    host: 'mail.example.org',
    port: 1465,
    isSecure: true,
    user: null,
    password: null,
  });
  for (const text of ['mail.example.org', 'http://mail.example.org', 'smtp://', 'smtp://a/b'])
    assert.throws(() => parse(text), /must be an address such as smtp:/, text);
});

test('e-mail is sent to addresses and domains of the operator, and to nobody else', () => {
  const mailTo = watchSettings.mailTo.parse('Ann@example.org @farm.example');
  const mailServer = watchSettings.mailServer.parse('smtp://a');
  const mayMail = toMayMail({ mailServer, mailFrom: 'swath@example.org', mailTo });
  const wanted = {
    'ann@EXAMPLE.org': true,
    'x@farm.example': true,
    'bob@example.org': false,
    'x@notfarm.example': false,
  };
  for (const [address, expected] of Object.entries(wanted))
    assert.equal(mayMail?.(address), expected, address);
  assert.equal(toMayMail({ mailServer: null, mailFrom: 'swath@example.org', mailTo }), null);
  assert.equal(toMayMail({ mailServer, mailFrom: null, mailTo }), null);
  assert.throws(() => watchSettings.mailTo.parse('example.org'), /must hold addresses/);
  assert.throws(() => watchSettings.mailFrom.parse('a@b\r\nBcc: c@d'), /must/);
});
