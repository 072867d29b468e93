import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { presets } from '../live/presets/index.ts';
import { withEarth } from './catalog-settings.ts';
import { describeConfig, parseConfig, withCatalog } from './config.ts';

const scratch = mkdtempSync(join(tmpdir(), 'swath-catalogs-'));
after(() => rmSync(scratch, { recursive: true }));

type Environment = Readonly<Record<string, string>>;

const parse = (catalogs: string, env: Environment = {}) => parseConfig({ SWATH_CATALOGS: catalogs, ...env });
const parseFile = (content: unknown, env: Environment = {}) => {
  const file = join(scratch, 'catalogs.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return parse(file, env);
};
const namesOf = (catalogs: string, env: Environment = {}) =>
  parse(catalogs, env).liveCatalogs.map(({ name }) => name);

test('presets and URLs are queried in the order of the list', () => {
  assert.deepEqual(parseConfig({}).liveCatalogs, []);
  assert.deepEqual(namesOf('planetary-computer,earth-search'), ['planetary-computer', 'earth-search']);
  assert.deepEqual(namesOf('earth-search, https://stac.example.org/v1/'), [
    'earth-search',
    'stac.example.org',
  ]);
  const [own] = parse('https://stac.example.org/v1/').liveCatalogs;
  assert.equal(own?.url, 'https://stac.example.org/v1');
  assert.deepEqual(own?.sources, { hosts: ['stac.example.org'] });
  assert.ok(own?.collections.some(({ dataset }) => dataset === 'landsat8'));
});

test('entries that need more than the short form are refused with the alternative', () => {
  for (const entry of [
    ...['earth', 'Earth-Search', 'http://stac.example.org', 'https://stac.example.org:8443/v1'],
    ...['https://u:hunter2@stac.example.org', 'https://stac.example.org/?q=1', 's3://bucket', '/folder'],
  ]) {
    assert.throws(
      () => parse(`earth-search ${entry}`),
      (error: Error) =>
        /each entry must be .* name a \.json file/.test(error.message) && !/hunter2/.test(error.message),
      entry,
    );
  }
  assert.throws(() => parse('earth-search earth-search'), /names earth-search twice/);
});

test('files of catalogs may be read as if SWATH_SOURCES listed them, and nothing else', () => {
  const { sources } = parse('earth-search planetary-computer', { SWATH_SOURCES: '/mnt/scenes s3://mine' });
  assert.deepEqual(sources.folders, ['/mnt/scenes']);
  const { hosts, s3, tokens, ...rest } = sources.network ?? {};
  assert.deepEqual(
    hosts,
    presets.slice(0, 2).flatMap((preset) => preset.sources.hosts ?? []),
  );
  assert.deepEqual(
    s3?.flatMap(({ buckets }) => buckets),
    ['mine', 'copernicus-dem-30m'],
  );
  assert.equal(tokens?.length, 1);
  assert.deepEqual(rest, { privateNetworks: [] });
  assert.deepEqual(parseConfig({}).sources, { folders: [] });
});

test('a file replaces parts of a preset, so that a local server can replace it', () => {
  const sources = {
    hosts: ['127.0.0.1'],
    allowHttp: true,
    ports: [9000],
    privateNetworks: ['127.0.0.0/8'],
  };
  const { liveCatalogs, sources: all } = parseFile([
    { preset: 'earth-search', url: 'http://127.0.0.1:9000/', sources, limits: { deadlineMs: 500 } },
    { preset: 'planetary-computer', collections: ['landsat-c2-l2'] },
  ]);
  const [first, second] = liveCatalogs;
  assert.deepEqual(first, {
    ...presets[0],
    url: 'http://127.0.0.1:9000',
    sources,
    limits: { ...presets[0]?.limits, deadlineMs: 500 },
    // Items of the local server say where its tiles of terrain are.
    terrain: { ...presets[0]?.terrain, files: null },
  });
  assert.deepEqual(second?.terrain, presets[1]?.terrain);
  assert.deepEqual(
    second?.collections.map(({ dataset }) => dataset),
    ['landsat9', 'landsat8', 'landsat7', 'landsat5tm', 'landsat4tm'],
  );
  // The default port of the other catalog stays allowed.
  assert.deepEqual(all.network?.ports, [443, 9000]);
  assert.equal(all.network?.allowHttp, true);
});

test('a file describes your own catalog', () => {
  const own = { name: 'mine', url: 'https://stac.example.org', sources: { hosts: ['files.example.org'] } };
  const collections = [
    { collection: 'sentinel-2-l2a', locate: { 's2:mgrs_tile': '{utmZone:2}{latitudeBand}{square}' } },
    { collection: 'our-landsat', dataset: 'landsat8', locate: { id: '{path}{row}' } },
  ];
  const [catalog] = parseFile([{ ...own, collections }]).liveCatalogs;
  const [known, ours] = catalog?.collections ?? [];
  assert.equal(known?.dataset, 'sentinel2l2a');
  assert.ok(known?.properties.cloudCoverage !== undefined);
  assert.deepEqual(known?.locate, collections[0]?.locate);
  assert.deepEqual([ours?.where, ours?.since, catalog?.api], [{}, '1972-01-01', null]);

  const refuse = (content: unknown, reason: RegExp) => assert.throws(() => parseFile(content), reason);
  refuse([{ name: 'mine', url: own.url }], /needs "url", and "sources"/);
  refuse([{ sources: {} }], /needs "url", and "sources"/);
  refuse([{ ...own, collections: ['unknown'] }], /there is no dataset ""/);
  refuse([{ ...own, collections: [{ collection: 'x', dataset: 'landsat8' }] }], /locate names no part/);
  refuse([{ ...own, url: 'ftp://x' }], /its url must be/);
  refuse([{ preset: 'earth' }], /0\.preset is wrong/);
  refuse([{ preset: 'usgs', hosts: [] }], /0 is wrong/);
  refuse([{ preset: 'earth-search' }, { preset: 'earth-search' }], /twice/);
  refuse({}, /the whole is wrong/);
  refuse('[{"secret": "hunter2"', /it is not JSON/);
});

test('a file says where terrain tiles are', () => {
  const own = { name: 'mine', url: 'https://stac.example.org', sources: { hosts: ['files.example.org'] } };
  const terrain = { name: 'glo-30', collection: 'dem', attribution: 'DLR and Airbus' };
  const terrainOf = (one: object) => parseFile([one]).liveCatalogs[0]?.terrain;
  assert.equal(terrainOf(own), null);
  assert.deepEqual(terrainOf({ ...own, terrain }), { ...terrain, files: null });
  const files = 'https://files.example.org/dem/{cell}.tif';
  assert.equal(terrainOf({ ...own, terrain: { ...terrain, files } })?.files, files);
  assert.equal(
    terrainOf({ preset: 'earth-search', sources: {}, terrain: { ...terrain, files } })?.files,
    files,
  );
  assert.equal(terrainOf({ preset: 'earth-search', terrain: null }), null);
  for (const wrong of ['https://files.example.org/dem.tif', '/mnt/{cell}.tif', 'file:///{cell}']) {
    assert.throws(
      () => terrainOf({ ...own, terrain: { ...terrain, files: wrong } }),
      /address with "\{cell\}"/,
    );
  }
  assert.throws(
    () => terrainOf({ ...own, terrain: { ...terrain, name: 'a/b' } }),
    /name "a\/b" of its terrain/,
  );
});

test('files that need an account need its key, which is never shown', () => {
  assert.throws(
    () => parse('copernicus'),
    /copernicus, whose files need an account: set SWATH_COPERNICUS_KEY=/,
  );
  assert.throws(() => parse('usgs'), /usgs, whose files need an account: set SWATH_AWS_KEY=/);
  const env = { SWATH_COPERNICUS_KEY: 'key-id:hunter2-hunter2', SWATH_AWS_KEY: 'AKIAX:hunter2/+hunter2' };
  const config = parse('copernicus usgs earth-search', env);
  assert.deepEqual(
    config.sources.network?.s3?.map(({ buckets, credentials }) => [buckets[0], credentials?.accessKeyId]),
    [
      ['eodata', 'key-id'],
      ['usgs-landsat', 'AKIAX'],
      ['copernicus-dem-30m', undefined],
    ],
  );
  assert.ok(!JSON.stringify(describeConfig(config, env)).includes('hunter2'));
  // SWATH_SOURCES may have them already, and a file of catalogs may bring its own.
  const credentials = { accessKeyId: 'own', secretAccessKey: 'secret' };
  const file = join(scratch, 'sources.json');
  writeFileSync(
    file,
    JSON.stringify({ s3: [{ buckets: ['usgs-landsat'], region: 'us-west-2', credentials }] }),
  );
  const listed = parse('usgs', { SWATH_SOURCES: file }).sources.network?.s3;
  assert.equal(listed?.[0]?.credentials?.accessKeyId, 'own');
  const sources = {
    s3: [{ buckets: ['usgs-landsat'], region: 'us-west-2', requesterPays: true, credentials }],
  };
  assert.equal(
    parseFile([{ preset: 'usgs', sources }]).sources.network?.s3?.[0]?.credentials?.accessKeyId,
    'own',
  );
  for (const key of [
    'AKIAXYZ',
    'AKIAXYZ:',
    ':hunter2-hunter2',
    'AKIAXYZ:with a space',
    'AKIA XYZ:hunter2-hunter2',
  ]) {
    assert.throws(
      () => parse('usgs', { SWATH_AWS_KEY: key }),
      (error: Error) => /SWATH_AWS_KEY must be/.test(error.message) && !error.message.includes(key),
      key,
    );
  }
});

test('catalogs are reached through the proxy of the settings', () => {
  const { liveCatalogs, sources } = parse('earth-search', { HTTPS_PROXY: 'http://proxy.example:3128' });
  const proxy = { https: 'http://proxy.example:3128/' };
  assert.deepEqual([liveCatalogs[0]?.sources.proxy, sources.network?.proxy], [proxy, proxy]);
});

test('results are stored only in buckets of SWATH_SOURCES, not in those of catalogs', () => {
  const env = { SWATH_COPERNICUS_KEY: 'key-id:secret-of-it', SWATH_RESULTS: 's3://eodata/x' };
  assert.throws(
    () => parse('copernicus', env),
    /SWATH_RESULTS names the bucket eodata, which .* does not list/,
  );
});

test('the contact is an e-mail address or a URL, and the limit of known scenes is a number', () => {
  for (const contact of ['maps@example.org', 'https://example.org/contact'])
    assert.equal(parseConfig({ SWATH_CATALOG_CONTACT: contact }).catalogContact, contact);
  for (const contact of ['me', 'a@b', 'a@example.org\r\nx: y', 'https://example.org/?(x)', 'a b@example.org'])
    assert.throws(
      () => parseConfig({ SWATH_CATALOG_CONTACT: contact }),
      /SWATH_CATALOG_CONTACT must be/,
      contact,
    );
  assert.equal(parseConfig({}).knownScenes, 100_000);
  assert.equal(parseConfig({ SWATH_KNOWN_SCENES: '5000' }).knownScenes, 5_000);
  assert.throws(() => parseConfig({ SWATH_KNOWN_SCENES: '5' }), /SWATH_KNOWN_SCENES must be/);
});

test('doctor shows the files that catalogs add, and the catalog addresses that a file has changed', () => {
  const rowOf = (config: ReturnType<typeof parse>, name: string) =>
    describeConfig(config, {}).find(({ variable }) => variable === name);
  const shown = (config: ReturnType<typeof parse>) => rowOf(config, 'SWATH_CATALOGS')?.value;
  assert.deepEqual(rowOf(parse('earth-search'), 'SWATH_SOURCES'), {
    variable: 'SWATH_SOURCES',
    value:
      'https://sentinel-cogs.s3.us-west-2.amazonaws.com s3://copernicus-dem-30m (with those of SWATH_CATALOGS)',
    fromEnvironment: true,
  });
  assert.equal(shown(parseConfig({})), '(none)');
  assert.equal(shown(parse('earth-search,planetary-computer')), 'earth-search, planetary-computer');
  const changed = parseFile([{ preset: 'earth-search', url: 'https://stac.example.org' }]);
  assert.equal(shown(changed), 'earth-search (https://stac.example.org)');
});

test('--earth sets what is unset: free catalogs, weather from Open-Meteo, and no demo world', () => {
  const earth = parseConfig(withEarth({ PATH: '/bin', SWATH_DEMO: '' }));
  assert.deepEqual(
    earth.liveCatalogs.map(({ name, costs }) => [name, costs]),
    [
      ['earth-search', 'free'],
      ['planetary-computer', 'free'],
    ],
  );
  assert.deepEqual([earth.weatherProviders, earth.demo], [['grid', 'open-meteo'], 'off']);
  const own = parseConfig(withEarth({ SWATH_CATALOGS: 'planetary-computer', SWATH_DEMO: 'small' }));
  assert.deepEqual([own.liveCatalogs.length, own.demo], [1, 'small']);
});

test('a command may name a configured catalog, or a preset that is not configured', () => {
  const changed = { preset: 'earth-search', name: 'mirror', sources: { hosts: ['files.example.org'] } };
  const config = parseFile([changed], {
    SWATH_SOURCES: 's3://mine',
    HTTPS_PROXY: 'http://proxy.example:3128',
  });
  assert.equal(withCatalog(config, 'mirror').catalog, config.liveCatalogs[0]);
  const { config: wider, catalog } = withCatalog(config, 'earth-search');
  assert.equal(catalog.url, presets[0]?.url);
  assert.ok(catalog.sources.proxy !== undefined);
  for (const host of presets[0]?.sources.hosts ?? []) assert.ok(wider.sources.network?.hosts?.includes(host));
  assert.ok(wider.sources.network?.s3?.some(({ buckets }) => buckets.includes('mine')));
});

test('an unknown catalog is refused with the known ones, and one that needs a key with its setting', () => {
  const config = parse('https://stac.example.org/v1');
  assert.throws(() => withCatalog(config, 'earth'), {
    code: 'unknown-catalog',
    message: /no catalog "earth"\. Known: stac\.example\.org, earth-search, planetary-computer, /,
  });
  assert.throws(
    () => withCatalog(config, 'usgs'),
    /the command names usgs, whose files need .*SWATH_AWS_KEY=/,
  );
  const { catalog } = withCatalog(parseConfig({ SWATH_AWS_KEY: 'name:0123456789abcdef' }), 'usgs');
  assert.equal(catalog.sources.s3?.[0]?.credentials?.accessKeyId, 'name');
});
