import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from './failure.ts';
import { makeFieldApi, parseField, parseReport, parseShapes, toContentType } from './fields.ts';

const WIRE = {
  id: '0000000000000001',
  name: 'Long acre',
  group: '',
  crop: 'wheat',
  sown_on: null,
  hectares: 4.5,
  bbox: [179.9, -1, -179.9, 1],
  version: 3,
  updated_at: '2026-06-01T00:00:00Z',
  last_values: [
    { expression: 'NDVI', value: 0.5, date: '2026-05-30T19:00:00Z' },
    { expression: 'NDMI', value: null, date: '2026-05-30' },
  ],
};

test('a field is read from the list; its box continues across the antimeridian', () => {
  const field = parseField(WIRE);
  assert.deepEqual([field?.group, field?.crop, field?.version], [null, 'wheat', 3]);
  assert.deepEqual(field?.box, [179.9, -1, 180.1, 1]);
  assert.deepEqual(field?.lastValues, [{ expression: 'NDVI', value: 0.5, date: '2026-05-30' }]);
  assert.equal(parseField({ ...WIRE, bbox: [1, 2, 3] }), null);
  assert.equal(parseField({ ...WIRE, name: null }), null);
});

test('the page lists the refused rows and the warnings of a report', () => {
  const line = { row: 1, id: 'A-1', status: 'created', message: null, warning: null };
  const report = parseReport({
    rows: 3,
    created: 2,
    refused: 1,
    report: [
      line,
      { ...line, row: 2, warning: 'Axes may be swapped.' },
      { ...line, row: 3, id: null, status: 'refused', message: 'It crosses itself.' },
    ],
  });
  assert.deepEqual([report.rows, report.created, report.updated, report.refused], [3, 2, 0, 1]);
  assert.deepEqual(report.noted, [
    { row: 2, id: 'A-1', isRefused: false, text: 'Axes may be swapped.' },
    { row: 3, id: null, isRefused: true, text: 'It crosses itself.' },
  ]);
  assert.throws(() => parseReport({ rows: 1 }), Failure);
});

test('outlines are read by id, and files have the type of their extension', () => {
  const ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ];
  const shapes = parseShapes({
    features: [
      { properties: { id: 'a' }, geometry: { type: 'Polygon', coordinates: [ring] } },
      { properties: { id: 'b' }, geometry: null },
    ],
  });
  assert.deepEqual(
    shapes.map(({ id }) => id),
    ['a'],
  );
  assert.equal(toContentType('Fields.KML'), 'application/vnd.google-earth.kml+xml');
  assert.equal(toContentType('fields.zip'), 'application/octet-stream');
  assert.equal(toContentType('noending'), 'application/octet-stream');
});

test('all pages of a list are read, and a change names the version it is based on', async () => {
  const sent: { readonly path: string; readonly init: RequestInit }[] = [];
  const api = {
    call: async (path: string): Promise<unknown> =>
      path.includes('after=')
        ? { fields: [{ ...WIRE, id: 'b' }], next: null, may_change: true }
        : { fields: [WIRE], next: 'more & more', may_change: true },
    send: async (path: string, init: RequestInit) => {
      sent.push({ path, init });
      return Response.json({ ...WIRE, version: 4 });
    },
  };
  const calls = makeFieldApi({ api, wait: () => Promise.resolve() });
  const list = await calls.list(new AbortController().signal);
  assert.deepEqual(
    [list.fields.map(({ id }) => id), list.hasMore, list.mayChange],
    [['0000000000000001', 'b'], false, true],
  );
  const changed = await calls.change({ id: 'b', version: 3 }, { crop: null });
  assert.equal(changed.version, 4);
  assert.equal(new Headers(sent[0]?.init.headers).get('if-match'), '"3"');
});
