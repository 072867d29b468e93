import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommand } from './parse-command.ts';

const parse = (line: string) => parseCommand(line.split(' ').filter((word) => word !== ''));

const nothingSaid = {
  name: 'ingest dem',
  model: null,
  order: null,
  unit: null,
  bandIndex: null,
  nodata: null,
  gaps: null,
  attribution: undefined,
  bounds: null,
  prune: false,
  check: true,
  report: null,
  json: false,
} as const;

test('an elevation model is ingested with nothing but its source, or with all that can be said of it', () => {
  assert.deepEqual(parse('ingest dem s3://bucket/prefix'), { ...nothingSaid, from: 's3://bucket/prefix' });
  const all =
    'ingest dem /mnt/dem --name alps --order -2 --unit us-ft --band 2 --nodata -9999.5 --gaps sea --attribution Me --bbox 170,-10,-170,10 --prune --no-check --report out.json --json';
  assert.deepEqual(parse(all), {
    name: 'ingest dem',
    from: '/mnt/dem',
    model: 'alps',
    order: -2,
    unit: 'us-ft',
    bandIndex: 1,
    nodata: -9999.5,
    gaps: 'sea',
    attribution: 'Me',
    bounds: { west: 170, south: -10, east: 190, north: 10 },
    prune: true,
    check: false,
    report: 'out.json',
    json: true,
  });
});

test('an empty attribution names no one', () => {
  const command = parseCommand(['ingest', 'dem', 'x', '--attribution', ' ']);
  assert.equal(command.name === 'ingest dem' && command.attribution, null);
});

test('models are listed, removed and ordered', () => {
  assert.deepEqual(parse('dem list'), { name: 'dem list', json: false });
  assert.deepEqual(parse('dem list --json'), { name: 'dem list', json: true });
  assert.deepEqual(parse('dem remove alps'), { name: 'dem remove', model: 'alps' });
  assert.deepEqual(parse('dem order alps 5'), { name: 'dem order', model: 'alps', order: 5 });
  assert.deepEqual(parse('dem order alps -5'), { name: 'dem order', model: 'alps', order: -5 });
});

test('the commands explain themselves', () => {
  for (const line of ['dem', 'dem --help', 'dem order --help', 'dem list -h', 'ingest dem --help']) {
    assert.deepEqual(parse(line), { name: 'help', topic: 'dem' }, line);
  }
});

test('wrong words are refused with the option that is wrong', () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['ingest dem', /From where/],
    ['ingest dem a b', /Unexpected argument "b"/],
    ['ingest dem x --name No', /lower-case/],
    ['ingest dem x --order 1.5', /--order/],
    ['ingest dem x --unit yd', /--unit takes one of: m, ft, us-ft/],
    ['ingest dem x --band 0', /--band/],
    ['ingest dem x --nodata none', /--nodata/],
    ['ingest dem x --gaps land', /--gaps takes one of: sea, unknown/],
    ['ingest dem x --bbox 1,2', /--bbox/],
    ['ingest dem x --fast', /fast/],
    ['dem show', /"dem show"/],
    ['dem remove', /Which model/],
    ['dem remove a b', /Unexpected argument/],
    ['dem order', /Which model/],
    ['dem order alps', /Which number/],
    ['dem order alps first', /order takes a whole number/],
    ['dem order -1', /Which model/],
  ];
  for (const [line, message] of wrong)
    assert.throws(() => parse(line), { code: /usage|unknown-command/, message }, line);
  assert.throws(() => parseCommand(['ingest', 'dem', 'x', '--attribution', 'two\nlines']), { code: 'usage' });
});
