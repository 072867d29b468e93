import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../testing/any-text.ts';
import { casesOf } from '../testing/test-size.ts';
import { makeShortHmac } from './short-hmac.ts';

const byNode = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url');

test('texts are signed as RFC 4231 says (case 2), and with long keys as Node signs them', () => {
  const toHex = (signature: string): string => Buffer.from(signature, 'base64url').toString('hex');
  assert.equal(
    toHex(makeShortHmac('Jefe')('what do ya want for nothing?')),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
  assert.equal(
    toHex(makeShortHmac('key'.repeat(50))('a key that is longer than a block')),
    createHmac('sha256', 'key'.repeat(50)).update('a key that is longer than a block').digest('hex'),
  );
});

test('texts of any length are signed as Node signs them', () => {
  const sign = makeShortHmac('a secret');
  for (let length = 0; length < 700; length += 1) {
    const text = 'x'.repeat(length);
    assert.equal(sign(text), byNode('a secret', text), `${length}`);
  }
});

test('property: any text is signed with any secret as Node signs it, one after the other', () => {
  fc.assert(
    fc.property(
      anyText({ maxLength: 80 }),
      fc.array(anyText({ maxLength: 200 }), { minLength: 1 }),
      (secret, texts) => {
        const sign = makeShortHmac(secret);
        for (const text of texts) assert.equal(sign(text), byNode(secret, text));
      },
    ),
    { numRuns: casesOf(200) },
  );
});
