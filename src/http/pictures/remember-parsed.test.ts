import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rememberParsed } from './path.ts';

test('a text is read once while it is among the last, and what fails is read again', () => {
  const read: string[] = [];
  const parse = rememberParsed((text) => {
    read.push(text);
    if (text === 'bad') throw new Error('bad');
    return { text };
  });
  assert.equal(parse('a'), parse('a'));
  assert.deepEqual(read, ['a']);
  for (let i = 0; i < 2; i++) assert.throws(() => parse('bad'));
  assert.deepEqual(read, ['a', 'bad', 'bad']);
  for (let i = 0; i < 600; i++) parse(String(i));
  read.length = 0;
  assert.deepEqual([parse('599').text, parse('a').text], ['599', 'a']);
  assert.deepEqual(read, ['a'], 'the first was forgotten, the last was not');
});
