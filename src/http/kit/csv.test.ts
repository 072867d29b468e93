import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from './csv.ts';

test('cells are quoted where they must be, and empty where nothing is known', () => {
  const rows = [
    ['name', 'value'],
    ['a "b", c', 0.5],
    ['two\nlines', null],
    ['plain', 0],
  ];
  assert.equal(toCsv(rows), 'name,value\r\n"a ""b"", c",0.5\r\n"two\nlines",\r\nplain,0\r\n');
});
