import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatisticsDocument, Task } from '../../tasks/index.ts';
import type { DocumentQuestion } from '../tasks/task-answers.ts';
import { downloadAnswers, statisticsAnswers } from '../tasks/task-answers.ts';
import {
  makeWriteDocument,
  toStatisticsCsv,
  toStatisticsGeoJson,
  toStatisticsJson,
  writeDocument,
} from './statistics-formats.ts';

const scene = {
  viewId: 'S2/1',
  sceneId: 'é',
  date: '2026-06-21',
  cloudPercent: 12.5,
  notes: ['partial coverage'],
  values: [null],
  histograms: null,
};
const documentOf = (scenes: number): StatisticsDocument => ({
  expressions: ['NDVI'],
  isList: true,
  scenes: Array.from({ length: scenes }, () => scene),
  failures: [],
});
const point = { type: 'Point', coordinates: [2, 42] } as const;
const task = { id: 't', owner: 'o', kind: 'statistics', reference: 'r' } as Task;

const ways: readonly {
  readonly asked: DocumentQuestion extends infer Q
    ? Q extends unknown
      ? Omit<Q, 'document'>
      : never
    : never;
  readonly written: (document: StatisticsDocument) => string;
}[] = [
  {
    asked: { kind: 'poll', form: 'download', task, callback: null },
    written: (document) => JSON.stringify(downloadAnswers.toFinished(task, { resultUrl: null, document })),
  },
  {
    asked: { kind: 'poll', form: 'statistics', task, callback: { state: 'waiting' } },
    written: (document) =>
      JSON.stringify({
        ...statisticsAnswers.toFinished(task, { resultUrl: null, document }),
        callback: { state: 'waiting' },
      }),
  },
  {
    asked: { kind: 'json', taskId: 't', histogram: null },
    written: (document) => JSON.stringify(toStatisticsJson(document, { taskId: 't', histogram: null })),
  },
  { asked: { kind: 'csv' }, written: toStatisticsCsv },
  {
    asked: { kind: 'geojson', area: JSON.stringify(point) },
    written: (document) => JSON.stringify(toStatisticsGeoJson(document, point)),
  },
];

test('short documents are written in place and long ones by another thread, with the same result', async () => {
  let sent = 0;
  const write = makeWriteDocument(async (question) => {
    sent += 1;
    return writeDocument(structuredClone(question));
  });
  for (const { asked, written } of ways) {
    for (const [scenes, elsewhere] of [
      [2, 0],
      [500, 1],
    ] as const) {
      const document = documentOf(scenes);
      sent = 0;
      const bytes = await write({ ...asked, document: JSON.stringify(document) } as DocumentQuestion);
      assert.equal(new TextDecoder().decode(bytes), written(document), asked.kind);
      assert.equal(sent, elsewhere, `${asked.kind}, ${scenes} scenes`);
    }
  }
});

test('a long area makes a document long', async () => {
  const ring = Array.from({ length: 5_000 }, (_, i) => [i / 1_000, i / 2_000]);
  const area = JSON.stringify({ type: 'Polygon', coordinates: [ring] });
  const write = makeWriteDocument(() => Promise.reject(new Error('elsewhere')));
  await assert.rejects(
    write({ kind: 'geojson', area, document: JSON.stringify(documentOf(1)) }),
    /elsewhere/,
  );
});
