import type { Attack, AttackContext, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import type { PoliteAnswer } from '../polite.ts';
import { ask, countStatuses, makeAgent } from '../polite.ts';
import { isAboveInfo, readLog } from '../target.ts';
import { readCode } from '../wire.ts';

const FIELD = {
  type: 'Polygon',
  coordinates: [
    [
      [-122.404, 48.216],
      [-122.396, 48.216],
      [-122.396, 48.224],
      [-122.404, 48.216],
    ],
  ],
};
const YEAR = { date_start: '2026-01-01', date_end: '2026-12-31', geometry: FIELD };
const REFUSED: readonly Readonly<Record<string, unknown>>[] = [
  { ...YEAR, bm_type: 'soilmoisture', sensors: 'soilmoisture', date_start: '1940-01-01' },
  { ...YEAR, bm_type: 'NDVI', sensors: ['sentinel2l2a'], date_end: '2025-01-01' },
  { ...YEAR, bm_type: 'NDVI', sensors: ['sentinel9'] },
  { ...YEAR, bm_type: 'B99/B04', sensors: ['sentinel2l2a'] },
  { ...YEAR, bm_type: 'NDVI', sensors: ['sentinel2l2a'], geometry: null, cropper_ref: 'f'.repeat(32) },
  { ...YEAR, bm_type: 'NDVI', sensors: ['sentinel2l2a'], geometry: { type: 'Polygon', coordinates: [[]] } },
  { ...YEAR, bm_type: '((((', sensors: ['sentinel2l2a'] },
  { ...YEAR, bm_type: [], sensors: [] },
];

const readTaskId = ({ body }: PoliteAnswer): string =>
  (JSON.parse(body.toString()) as { task_id: string }).task_id;

async function runRefusals({ start, defer, keys }: AttackContext): Promise<Sight> {
  const server = await start({ env: { SWATH_STATISTICS_PER_MINUTE: '0', SWATH_WRITES_PER_MINUTE: '0' } });
  const agent = makeAgent(undefined, 1);
  defer(() => agent.destroy());
  const send = (path: string, body: object) =>
    ask(server, path, { method: 'POST', key: keys.marked, agent, body: JSON.stringify(body) });
  const now: PoliteAnswer[] = [];
  const orders: PoliteAnswer[] = [];
  for (const params of REFUSED) {
    now.push(await send('/api/statistics', params));
    for (const path of ['/api', '/api/gdw/api']) orders.push(await send(path, { type: 'mt_stats', params }));
  }
  // What is taken, because the interface reports such errors in a poll, ends with them.
  const taken = orders.filter(({ status }) => status === 202);
  const polls: PoliteAnswer[] = [];
  for (const answer of taken) {
    let poll = await ask(server, `/api/gdw/api/${readTaskId(answer)}`, { key: keys.marked, agent });
    while (/"status":"(created|started)"/.test(poll.body.toString()))
      poll = await ask(server, `/api/gdw/api/${readTaskId(answer)}`, { key: keys.marked, agent });
    polls.push(poll);
  }
  const lines = readLog(server.output()).filter(isAboveInfo);
  const toCodes = (answers: readonly PoliteAnswer[]): string =>
    countStatuses(answers.map(({ status, body }) => `${status} ${readCode(body)}`.trim()));
  const saw = `at once: ${toCodes(now)}; orders: ${toCodes(orders)}; ${polls.length} polls; above info: ${countStatuses(lines.map(({ msg }) => msg))}`;
  return judge(saw, {
    'requests are 400 or 404': now.every(({ status }) => status === 400 || status === 404),
    'orders are refused, or say why in the poll': [...orders, ...polls].every(({ status }) =>
      [200, 202, 400, 404].includes(status),
    ),
    'polls name the error': polls.every(({ body }) => /"error_status":"[^"]+"/.test(body.toString())),
    'nothing logged above info': lines.length === 0,
    'no stack': !/\n?\s+at .*\.ts:\d+/.test(server.output()),
  });
}

/** Statistics that nobody can compute, at every address that takes them. */
export const refusedStatistics: Attack = {
  name: 'refused statistics',
  severity: 'medium',
  does: 'orders and requests of statistics that cannot be carried out: soil moisture of 30,000 days, dates in the wrong order, unknown sensors, bands and areas, at all three addresses',
  limit:
    '400 or 404 before a task exists, or a task that says why; nothing is logged above info, and no stack',
  isQuick: true,
  run: runRefusals,
};
