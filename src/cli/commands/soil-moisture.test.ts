import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommand } from './parse-command.ts';

const parse = (line: string) => parseCommand(line.split(' ').filter((word) => word !== ''));

test('ingest soilmoisture: defaults, and all options', () => {
  assert.deepEqual(parse('ingest soilmoisture /mnt/sm'), {
    name: 'ingest soilmoisture',
    from: '/mnt/sm',
    cube: 'default',
    variable: null,
    porosity: null,
    report: null,
    json: false,
  });
  const all = 'ingest soilmoisture x.nc --name ascat --variable ssm --porosity 0.45 --report out.json --json';
  assert.deepEqual(parse(all), {
    name: 'ingest soilmoisture',
    from: 'x.nc',
    cube: 'ascat',
    variable: 'ssm',
    porosity: 0.45,
    report: 'out.json',
    json: true,
  });
});

test('soilmoisture list and remove', () => {
  assert.deepEqual(parse('soilmoisture list --json'), { name: 'soilmoisture list', json: true });
  assert.deepEqual(parse('soilmoisture remove ascat'), { name: 'soilmoisture remove', cube: 'ascat' });
});

test('help, and mistakes with a sentence', () => {
  for (const line of [
    'soilmoisture',
    'soilmoisture --help',
    'soilmoisture list -h',
    'ingest soilmoisture --help',
  ])
    assert.deepEqual(parse(line), { name: 'help', topic: 'soilmoisture' }, line);
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['ingest soilmoisture', /From where/],
    ['ingest soilmoisture a b', /Unexpected argument "b"/],
    ['ingest soilmoisture x --name ../x', /lower-case/],
    ['ingest soilmoisture x --porosity 45', /--porosity/],
    ['ingest soilmoisture x --porosity 0.95', /--porosity/],
    ['soilmoisture show', /"soilmoisture show"/],
    ['soilmoisture remove', /Which data cube/],
    ['soilmoisture remove UP', /lower-case/],
  ];
  for (const [line, message] of wrong)
    assert.throws(() => parse(line), { code: /usage|unknown-command/, message }, line);
});
