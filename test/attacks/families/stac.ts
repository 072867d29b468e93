import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import type { PoliteAnswer } from '../polite.ts';
import { ask } from '../polite.ts';
import { readCode } from '../wire.ts';

/** Those who try what a filter language and another door allow. */
export const stac: Family = {
  name: 'STAC',
  attacks: [
    {
      name: 'CQL2 bombs',
      severity: 'high',
      does: 'filters that nest, repeat or backtrack: thousands of parentheses and NOTs, thousands of conditions, patterns of many %, deep JSON, names such as __proto__',
      limit: '400, or 200 within the bound of tested scenes; the service answers others',
      isQuick: true,
      run: runBombs,
    },
    {
      name: 'invented tokens and addresses of files',
      severity: 'high',
      does: 'tokens of pages with other contents, and addresses of files with other scenes, paths, keys and expiries',
      limit:
        'tokens are positions and give nothing but pages; addresses that were not signed are 404, and no path is opened',
      isQuick: true,
      run: runInvented,
    },
    {
      name: 'catalog changed without the right',
      severity: 'high',
      does: 'items are sent, replaced and removed with a read-only key, a full key and none',
      limit: '401 and 403; the catalog stays as it is',
      isQuick: true,
      run: runChanges,
    },
  ],
};

const FILTERS: readonly unknown[] = [
  `${'('.repeat(20_000)}TRUE${')'.repeat(20_000)}`,
  `${'NOT '.repeat(15_000)}TRUE`,
  Array.from({ length: 5_000 }, (_, i) => `gsd = ${i}`).join(' OR '),
  Array.from({ length: 300 }, () => `swath:scene_id LIKE '${'%a'.repeat(100)}b'`).join(' OR '),
  `id IN (${Array.from({ length: 5_000 }, (_, i) => `'${i}'`).join()})`,
  `S_INTERSECTS(geometry, POLYGON((${'1 1,'.repeat(15_000)}1 1)))`,
  `${'GEOMETRYCOLLECTION('.repeat(3_000)}`,
  "__proto__ = 'x' OR constructor = 'x' OR toString IS NULL",
  `"${'x'.repeat(60_000)}" = 1`,
  `'${"''".repeat(30_000)}' = 1`,
];

const nested = (depth: number): unknown =>
  depth === 0 ? true : { op: 'and', args: [nested(depth - 1), nested(0)] };

const search = (context: AttackContext, body: string): Promise<PoliteAnswer> =>
  ask(context.server, '/stac/search', { method: 'POST', key: context.keys.alice, body });

async function runBombs(context: AttackContext): Promise<Sight> {
  const statuses: number[] = [];
  for (const filter of FILTERS) {
    const body = JSON.stringify({ filter, 'filter-lang': 'cql2-text' });
    statuses.push((await search(context, body)).status);
  }
  for (const filter of [nested(25), { op: '__proto__', args: [] }, { op: 'and', args: { length: 1e9 } }])
    statuses.push((await search(context, JSON.stringify({ filter }))).status);
  for (const filter of FILTERS) {
    const body = JSON.stringify({ filter, 'filter-lang': 'cql2-text', aggregations: ['total_count'] });
    const order = { method: 'POST', key: context.keys.alice, body } as const;
    const counted = await ask(context.server, '/stac/aggregate', order);
    // More scenes than may be tested are refused in words, as a search would end its page.
    statuses.push(counted.status === 422 ? 400 : counted.status);
  }
  const deep = `{"filter":${'{"op":"not","args":['.repeat(20_000)}true${']}'.repeat(20_000)}}`;
  statuses.push((await search(context, deep)).status);
  const after = await search(context, '{"limit": 1}');
  return judge(`${statuses.length} filters: ${[...new Set(statuses)].sort().join(', ')}`, {
    'no filter fails otherwise': statuses.every((status) => status === 200 || status === 400),
    'others are answered': after.status === 200,
  });
}

async function runInvented({ server, keys }: AttackContext): Promise<Sight> {
  const key = keys.alice;
  const tokens = [
    'x',
    '....',
    'A'.repeat(2_000),
    ...[
      ['date', true, false, '2026-06-21T00:00:00Z', "' OR 1=1 --", '../../etc/passwd', 'x', null, 0],
      ['date', true, false, '9999-12-31T00:00:00Z', '', '', '', { $gt: '' }, 1],
      ['date', true, false, '2026-06-21T00:00:00Z', 'a', 'b', 'c', null, 1e9],
      { length: 9 },
    ].map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url')),
  ];
  const pages = await Promise.all(tokens.map((token) => ask(server, `/stac/search?token=${token}`, { key })));
  const item = await ask(server, '/stac/search?limit=1', { key });
  const { features } = JSON.parse(item.body.toString()) as {
    features: { assets: Record<string, { href: string }> }[];
  };
  const path = new URL(features[0]?.assets.B04?.href ?? '').pathname;
  const files = await Promise.all(
    [
      path.replace(/\/[^/]+$/, '/..%2f..%2fswath.db'),
      path.replace(/\/[^/]+$/, '/passwd'),
      path.replace('/S2L2A/', '/S2/'),
      path.replace(/\.(\d+)\./, '.9999999999.'),
      path.replace(/\/files\/[^.]+/, '/files/another'),
      `${path.slice(0, 40)}/%2e%2e/%2e%2e/swath.db`,
    ].map((address) => ask(server, address)),
  );
  const right = await ask(server, path);
  return judge(
    `tokens ${[...new Set(pages.map(({ status }) => status))].join(', ')}, files ${[...new Set(files.map(({ status }) => status))].join(', ')}`,
    {
      'tokens are read or refused': pages.every(({ status }) => status === 200 || status === 400),
      'no file is given': files.every(({ status }) => status === 404 || status === 400),
      'the right address works': right.status === 200,
    },
  );
}

async function runChanges({ server, keys }: AttackContext): Promise<Sight> {
  const list = async (): Promise<string> =>
    (await ask(server, '/stac/search?fields=id', { key: keys.alice })).body.toString();
  const before = await list();
  const { features } = JSON.parse(before) as { features: { id: string; collection: string }[] };
  const { id, collection } = features[0] as { id: string; collection: string };
  const path = `/stac/collections/${collection}`;
  const items = `${path}/items`;
  const answers = await Promise.all(
    [keys.alice, keys.reader, undefined].flatMap((key) =>
      (
        [
          ['POST', items],
          ['PUT', `${items}/${id}`],
          ['PATCH', `${items}/${id}`],
          ['DELETE', `${items}/${id}`],
          ['POST', '/stac/collections'],
          ['PUT', path],
          ['PATCH', path],
          ['DELETE', path],
        ] as const
      ).map(([method, address]) =>
        ask(server, address, {
          method,
          ...(key === undefined ? {} : { key }),
          ...(method === 'DELETE' ? {} : { body: '{"type": "Feature"}' }),
        }),
      ),
    ),
  );
  const codes = [...new Set(answers.map(({ body }) => readCode(body)))];
  return judge(codes.join(', '), {
    'all are refused': answers.every(({ status }) => status === 401 || status === 403),
    'the catalog is as before': (await list()) === before,
  });
}
