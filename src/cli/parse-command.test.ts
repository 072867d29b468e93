import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommand } from './parse-command.ts';

const parse = (line: string) => parseCommand(line.split(' ').filter((word) => word !== ''));

test('a folder is ingested, with its report', () => {
  assert.deepEqual(parse('ingest folder /mnt/scenes --convert --report out.json'), {
    name: 'ingest folder',
    path: '/mnt/scenes',
    convert: true,
    report: 'out.json',
    json: false,
  });
});

test('a STAC source can be filtered by box, day, cloud, number and collection', () => {
  assert.deepEqual(
    parse(
      'ingest stac https://a.test/v1 --bbox 170,-10,-170,10 --date 2026-01-01/2026-06-30 --cloud 20.5 --limit 7 --collection s2 --collection l8',
    ),
    {
      name: 'ingest stac',
      from: 'https://a.test/v1',
      filters: {
        bbox: [170, -10, -170, 10],
        date: { from: '2026-01-01', to: '2026-06-30' },
        maxCloudPercent: 20.5,
        limit: 7,
        collections: ['s2', 'l8'],
      },
      convert: false,
      report: null,
      json: false,
    },
  );
});

test('one day is a span of one day, and either end may be open', () => {
  const dateOf = (text: string) => {
    const command = parse(`ingest stac x --date ${text}`);
    return command.name === 'ingest stac' ? command.filters.date : null;
  };
  assert.deepEqual(dateOf('2026-02-28'), { from: '2026-02-28', to: '2026-02-28' });
  assert.deepEqual(dateOf('2026-02-28/'), { from: '2026-02-28', to: null });
  assert.deepEqual(dateOf('/2026-02-28'), { from: null, to: '2026-02-28' });
});

test('scenes can be listed, shown, removed and exported', () => {
  assert.deepEqual(parse('scenes list --dataset landsat8 --limit 5'), {
    name: 'scenes list',
    dataset: 'landsat8',
    limit: 5,
    json: false,
  });
  assert.deepEqual(parse('scenes show S2/31/T/DH/2026/6/21/0'), {
    name: 'scenes show',
    viewId: 'S2/31/T/DH/2026/6/21/0',
  });
  assert.deepEqual(parse('scenes remove a b'), { name: 'scenes remove', viewIds: ['a', 'b'] });
  assert.deepEqual(parse('export -o all.ndjson'), {
    name: 'export',
    dataset: null,
    format: 'ndjson',
    output: 'all.ndjson',
  });
  assert.deepEqual(parse('export --format geoparquet'), {
    name: 'export',
    dataset: null,
    format: 'geoparquet',
    output: null,
  });
});

test('every group of commands prints its help, with or without a command', () => {
  const topics = { keys: 'keys', ingest: 'ingest', scenes: 'scenes' } as const;
  for (const [group, topic] of Object.entries(topics)) {
    assert.deepEqual(parse(group), { name: 'help', topic });
    assert.deepEqual(parse(`${group} --help`), { name: 'help', topic });
  }
  assert.deepEqual(parse('ingest stac --help'), { name: 'help', topic: 'ingest' });
  assert.deepEqual(parse('export --help'), { name: 'help', topic: 'export' });
});

test('wrong arguments are refused with the wrong option', () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['ingest folder', /Which folder/],
    ['ingest folder a b', /Unexpected argument "b"/],
    ['ingest ftp x', /Possible: folder, stac, dem, soilmoisture/],
    ['ingest stac', /From where/],
    ['ingest stac x --bbox 1,2,3', /--bbox/],
    ['ingest stac x --bbox 1,2,1,3', /--bbox/],
    ['ingest stac x --bbox 1,5,2,3', /--bbox/],
    ['ingest stac x --bbox 1,NaN,2,3', /--bbox/],
    ['ingest stac x --date 2026-02-30', /--date/],
    ['ingest stac x --date 2026-02-02/2026-02-01', /backwards/],
    ['ingest stac x --date /', /--date/],
    ['ingest stac x --cloud 101', /--cloud/],
    ['ingest stac x --cloud -1', /cloud/],
    ['ingest stac x --limit 0', /--limit/],
    ['scenes show', /Which scene/],
    ['scenes remove', /Which scenes/],
    ['scenes drop', /"scenes drop"/],
    ['export extra', /Unexpected argument/],
    ['keys create --rate 1.5', /--rate/],
    ['keys create --expires 2026-13-01', /--expires/],
    ['frobnicate', /"frobnicate"/],
  ];
  for (const [line, message] of wrong) assert.throws(() => parse(line), { message }, line);
});

test('a box in the western hemisphere is a value, not an option', () => {
  const command = parse('ingest stac x --bbox -74,40,-73,41');
  assert.deepEqual(command.name === 'ingest stac' && command.filters.bbox, [-74, 40, -73, 41]);
});
