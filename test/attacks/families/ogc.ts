import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { ask } from '../polite.ts';

/** Those who try what doors of XML and tokens in paths allow. */
export const ogc: Family = {
  name: 'OGC',
  attacks: [
    {
      name: 'XML bombs and hostile parameters',
      severity: 'high',
      does: 'documents with nested and external entities are posted to WMS and WMTS; SLD, layers, styles, times and boxes hold markup, entities, control characters and thousands of numbers',
      limit: '400 or 405 with a report in which nothing that was sent is markup; the service answers others',
      isQuick: true,
      run: runDocuments,
    },
    {
      name: 'coverages of everything',
      severity: 'high',
      does: 'properties, subsets, boxes, scales and reference systems of coverages hold band math, markup, thousands of numbers, a whole hemisphere and pixels of a nanometre',
      limit: '400 or 422 as a problem before a pixel is read; the service answers others',
      isQuick: true,
      run: runCoverages,
    },
    {
      name: 'invented tokens of tiles',
      severity: 'high',
      does: 'tokens with another key, another expiry, another signature, or of another length',
      limit: '404 without a look at a layer',
      isQuick: true,
      run: runTokens,
    },
  ],
};

const BOMB = `<?xml version="1.0"?><!DOCTYPE a [${Array.from(
  { length: 20 },
  (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(20)}">`,
).join('')}<!ENTITY x SYSTEM "file:///etc/passwd">]><StyledLayerDescriptor>&e20;&x;</StyledLayerDescriptor>`;

const VALUES: readonly string[] = [
  BOMB,
  '<!DOCTYPE a>',
  ']]><Layer/>&x;',
  '\u0000\u0001\u001b',
  '../../etc/passwd',
  '1,'.repeat(2_000),
  `${'9'.repeat(400)}`,
  '-1e308,-1e308,1e308,1e308',
  '__proto__',
];

async function runDocuments({ server, keys }: AttackContext): Promise<Sight> {
  const key = keys.alice;
  const posted = await Promise.all(
    ['/ogc/wms', '/ogc/wmts'].map((path) => ask(server, path, { method: 'POST', key, body: BOMB })),
  );
  const names = ['LAYERS', 'STYLES', 'BBOX', 'CRS', 'WIDTH', 'BGCOLOR', 'TIME', 'SLD_BODY', 'SLD'];
  const map = { REQUEST: 'GetMap', LAYERS: 'sentinel2l2a', STYLES: '', CRS: 'CRS:84', BBOX: '0,0,1,1' };
  const asked = names.flatMap((name) =>
    VALUES.map((value) => {
      const query = { ...map, WIDTH: '9', HEIGHT: '9', FORMAT: 'image/png', [name]: value };
      return `/ogc/wms?${new URLSearchParams(query).toString()}`;
    }),
  );
  const answers = [];
  for (const path of asked) answers.push(await ask(server, path, { key }));
  const after = await ask(server, '/ogc/wms?REQUEST=GetCapabilities', { key });
  const statuses = [...new Set(answers.map(({ status }) => status))].sort();
  return judge(`${answers.length} parameters: ${statuses.join(', ')}`, {
    'documents are refused': posted.every(({ status }) => status === 405),
    'parameters are refused': answers.every(({ status }) => status === 400 || status === 414),
    'nothing that was sent is markup': answers.every(
      ({ body }) => !/<!DOCTYPE|<Layer\/>|&x;/.test(body.toString()),
    ),
    'others are answered': after.status === 200,
  });
}

async function runCoverages({ server, keys }: AttackContext): Promise<Sight> {
  const key = keys.alice;
  const box = { bbox: '0,0,1,1', 'scale-size': 'Lon(9)' };
  const hostile = ['properties', 'subset', 'bbox', 'bbox-crs', 'crs', 'scale-size', 'f'].flatMap((name) =>
    VALUES.map((value) => ({ ...box, [name]: value })),
  );
  const large = [
    { bbox: '-180,-90,180,90', 'scale-factor': '1' },
    { bbox: '0,0,1,1', 'scale-factor': '1e-9' },
    { bbox: '0,0,1,1', 'scale-axes': 'Lat(1e-300),Lon(1e-300)' },
    { bbox: '0,0,1,1', 'scale-size': 'Lat(999999999),Lon(999999999)' },
    { bbox: '0,0,1,1', properties: Array(33).fill('B04').join() },
    { bbox: '0,0,1,1', properties: 'B04**B08' },
    { subset: `Lat(0:1),${'Lon(0:1),'.repeat(40)}Lon(0:1)` },
  ];
  const answers = [];
  for (const query of [...hostile, ...large]) {
    const path = `/ogc/collections/sentinel2l2a/coverage?${new URLSearchParams(query).toString()}`;
    answers.push(await ask(server, path, { key }));
  }
  const after = await ask(server, '/ogc/collections', { key });
  const statuses = [...new Set(answers.map(({ status }) => status))].sort();
  return judge(`${answers.length} requests: ${statuses.join(', ')}`, {
    'all are refused': answers.every(({ status }) => [400, 414, 422].includes(status)),
    'others are answered': after.status === 200,
  });
}

async function runTokens({ server, keys }: AttackContext): Promise<Sight> {
  const list = await ask(server, '/ogc/xyz', { key: keys.alice });
  const { layers } = JSON.parse(list.body.toString()) as { layers: { tiles: string[] }[] };
  const address = new URL(layers[0]?.tiles[0] ?? '').pathname;
  const [, , , token = '', ...rest] = decodeURI(address).replace('{z}/{x}/{y}', '0/0/0').split('/');
  const [keyId = '', expires = '', signature = ''] = token.split('.');
  const invented = [
    `configured.${expires}.${signature}`,
    `${keyId}.9999999999.${signature}`,
    `${keyId}.${expires}.${'A'.repeat(43)}`,
    `${keyId}.${expires}.`,
    `${keyId}.${expires}`,
    'x'.repeat(2_000),
    '__proto__',
  ];
  const answers = await Promise.all(
    invented.map((wrong) => ask(server, `/ogc/xyz/${encodeURIComponent(wrong)}/${rest.join('/')}`)),
  );
  const right = await ask(server, `/ogc/xyz/${token}/${rest.join('/')}`);
  return judge(
    `${[...new Set(answers.map(({ status }) => status))].join(', ')}; the right one ${right.status}`,
    {
      'no invented token opens anything': answers.every(({ status }) => [404, 414, 429].includes(status)),
      'the right one is admitted': right.status !== 404,
    },
  );
}
