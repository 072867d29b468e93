import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from './failure.ts';
import { measureFields, parseCsv, parseValues } from './field-values.ts';

test('cells may be quoted, and contain commas, quotes and line breaks', () => {
  assert.deepEqual(
    [...parseCsv('a,"b, ""c""",\r\n"d\ne",,f\n')],
    [
      ['a', 'b, "c"', ''],
      ['d\ne', '', 'f'],
    ],
  );
  assert.deepEqual([...parseCsv('a,')], [['a', '']]);
});

const HEAD = 'field_id,name,date,NDVI_average,cloud_percent,data_percent';

test('the fullest clear scene of each day is used, oldest first', () => {
  const table = [
    HEAD,
    'f1,"A, b",2026-06-21,0.5,0,80',
    'f1,"A, b",2026-06-21,0.6,0,100',
    'f1,"A, b",2026-06-11,0.4,,100',
    'f1,"A, b",2026-06-16,0.9,31,100',
    'f1,"A, b",2026-06-06,,0,100',
    'f2,C,2026-06-21,0.7,0,10',
  ].join('\n');
  assert.deepEqual(
    [...parseValues(table, 'NDVI')],
    [
      [
        'f1',
        [
          { date: '2026-06-11', value: 0.4 },
          { date: '2026-06-21', value: 0.6 },
        ],
      ],
    ],
  );
  assert.throws(() => parseValues(table, 'NDMI'), Failure);
});

test('an order waits for its task, whose file may be on another page of the list', async () => {
  const calls: { path: string; body: unknown }[] = [];
  let looks = 0;
  const api = {
    async call(path: string, { body }: { readonly body?: unknown }): Promise<unknown> {
      calls.push({ path, body });
      if (path === 'api') return { task_id: 't' };
      if (!path.includes('after=')) return { tasks: [], next: 'newest' };
      const isOver = ++looks === 2;
      const task = { task_id: 't', type: 'mt_stats', created_at: 'then', progress: 0.5 };
      const url = 'https://elsewhere.example/api/results/t/table.csv?sig=1';
      return {
        tasks: [{ ...task, state: isOver ? 'finished' : 'running', result_url: isOver ? url : null }],
        next: null,
      };
    },
    send: async (path: string) => {
      assert.equal(path, 'api/results/t/table.csv?sig=1');
      return new Response(`${HEAD}\nf1,A,2026-06-21,0.5,0,100\n`);
    },
  };
  const progress: number[] = [];
  const values = await measureFields(
    { api, wait: () => Promise.resolve() },
    { dataset: 'sentinel2l2a', index: 'NDVI', to: '2026-06-21', revision: '1 x' },
    { signal: new AbortController().signal, onProgress: (share) => progress.push(share) },
  );
  assert.equal(values.get('f1')?.[0]?.value, 0.5);
  assert.deepEqual(progress, [0.5]);
  const { params } = (calls[0] as { body: { params: Record<string, unknown> } }).body;
  assert.deepEqual([params.date_start, params.date_end], ['2025-12-20', '2026-06-21']);
});
