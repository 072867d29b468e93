import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BulkOrder, BulkStatistics } from '../bulk/index.ts';
import { toBulkFile } from '../bulk/index.ts';
import { SwathError } from '../errors.ts';
import type { DownloadKind, Downloads } from '../exports/index.ts';
import type { ImportFields, ImportOrder } from '../fields/index.ts';
import { importWithReport, toUploadKey } from '../fields/index.ts';
import type { AreaGeometry, MultiPolygonGeometry, PointGeometry } from '../geo/index.ts';
import { summarize } from '../numbers/index.ts';
import type { BlobStore } from '../objects/index.ts';
import type { Ticket } from '../pool/index.ts';
import type { PhenologyOptions } from '../seasons/index.ts';
import type {
  SoilMoisture,
  SoilMoistureDay,
  SoilMoistureRequest,
  SoilMoistureSeries,
} from '../soil-moisture/index.ts';
import type { SceneStatistics, StatisticsOrder, StatisticsResult, ZonalStatistics } from '../zonal/index.ts';
import type { OrderedTask, TaskError, TaskFile, TaskOutput, TaskProgress } from './task.ts';

/** What a kind of task works with. */
export interface TaskWork {
  /** Names what this attempt stores: no other attempt, of this task or another one, has the same. */
  readonly storeKey: string;
  /** Aborts when the task is cancelled, out of time, handed back, or another worker has it. */
  readonly signal: AbortSignal;
  reportProgress(progress: TaskProgress): void;
}

/** One kind of task: how its orders are carried out. */
export interface TaskKind {
  /** Does the work; what it stores is durable when it resolves. Rejects with the reason if it cannot. */
  run(task: OrderedTask, work: TaskWork): Promise<TaskOutput>;
  /** Removes the file that an attempt has stored, because it is not wanted any more. */
  discard(file: TaskFile): Promise<void>;
}

/** The kinds of tasks by name. */
export type TaskKinds = Readonly<Record<string, TaskKind>>;

interface DownloadDeps {
  readonly kind: DownloadKind;
  readonly downloads: Downloads;
  readonly blobs: Pick<BlobStore, 'stage' | 'remove' | 'identify'>;
}

/** The longest time of one job on a pixel thread: a part of a file, or the statistics of one scene. */
const JOB_TIMEOUT_MS = 600_000;

/** Tasks that make a file of a scene. It is written next to the results, synced, and then published in one step. */
export const makeDownloadKind = ({ kind, downloads, blobs }: DownloadDeps): TaskKind => ({
  async run({ owner, order, area }, { storeKey, signal, reportProgress }) {
    const planned = await downloads.plan(kind, downloads.fromStored({ order, area }));
    const { fileName, contentType, blocks: total } = planned;
    const staged = await blobs.stage(storeKey);
    try {
      reportProgress({ done: 0, total });
      await planned.write(staged.path, {
        ticket: { owner, lane: 'task', timeoutMs: JOB_TIMEOUT_MS, signal },
        onProgress: (done) => reportProgress({ done, total }),
      });
      signal.throwIfAborted();
      const { bytes, etag } = await staged.publish({ contentType }, signal);
      const storeId = await blobs.identify();
      return { kind: 'file', blobKey: storeKey, storeId, fileName, contentType, bytes, etag };
    } catch (error) {
      await staged.discard();
      throw error;
    }
  },
  discard: ({ blobKey }) => blobs.remove(blobKey),
});

/** The statistics of soil moisture, and of the root zone for each of their days. */
interface SoilMoistureStatistics extends StatisticsResult {
  readonly rootZones: readonly (number | null)[];
}

const NO_CUBE = {
  viewId: 'soilmoisture',
  sceneId: 'soilmoisture',
  code: 'no-data',
  message: 'There is no soil moisture of this area.',
  notes: [],
};

/** The cells of a day: mean and spread weigh them by how much of the area they cover, percentiles do not. */
function toDayStatistics({ surface, cells }: SoilMoistureDay): SceneStatistics['values'][number] {
  if (surface === null) return null;
  const found = summarize(
    Float32Array.from(cells, ({ value }) => value),
    null,
  );
  if (found === null) return null;
  const weight = cells.reduce((sum, cell) => sum + cell.weight, 0);
  const variance = cells.reduce((sum, cell) => sum + cell.weight * (cell.value - surface) ** 2, 0) / weight;
  return { ...found, average: surface, variance, std: Math.sqrt(variance) };
}

/** The newest days with a value, up to a number of them. */
function toSoilMoistureStatistics(
  series: SoilMoistureSeries | null,
  { from, limit }: { readonly from: string; readonly limit: number },
): SoilMoistureStatistics {
  if (series === null) return { scenes: [], rootZones: [], failures: [{ ...NO_CUBE, date: from }] };
  const days = series.days
    .filter(({ surface }) => surface !== null)
    .toReversed()
    .slice(0, limit);
  const notes = series.isInterpolated ? ['interpolated: the area is smaller than a cell'] : [];
  return {
    scenes: days.map((day) => ({
      viewId: `soilmoisture/${series.cube}/${day.date}`,
      sceneId: `${series.cube}_${day.date.replaceAll('-', '')}`,
      date: day.date,
      cloudPercent: 0,
      notes,
      values: [toDayStatistics(day)],
      histograms: null,
    })),
    rootZones: days.map(({ rootZone }) => rootZone),
    failures: [],
  };
}

interface FieldsStatisticsDeps {
  readonly bulk: BulkStatistics;
  readonly blobs: Pick<BlobStore, 'stage' | 'remove' | 'identify'>;
}

/** Tasks that measure many fields and write a table. Parts that are measured are stored under the task's id. */
const makeFieldsStatisticsKind = ({ bulk, blobs }: FieldsStatisticsDeps): TaskKind => ({
  async run({ id, owner, order, area }, { storeKey, signal, reportProgress }) {
    const ordered = order as BulkOrder;
    const { fileName, contentType } = toBulkFile(ordered);
    const staged = await blobs.stage(storeKey);
    try {
      await bulk.run(
        { id, owner, order: ordered, collection: area },
        {
          path: staged.path,
          ticket: { owner, lane: 'task', timeoutMs: JOB_TIMEOUT_MS, signal },
          onProgress: reportProgress,
        },
      );
      signal.throwIfAborted();
      const { bytes, etag } = await staged.publish({ contentType }, signal);
      const storeId = await blobs.identify();
      return { kind: 'file', blobKey: storeKey, storeId, fileName, contentType, bytes, etag };
    } catch (error) {
      await staged.discard();
      throw error;
    }
  },
  discard: ({ blobKey }) => blobs.remove(blobKey),
});

interface FieldsImportDeps {
  readonly importFields: ImportFields;
  readonly blobs: Pick<BlobStore, 'stage' | 'read' | 'remove' | 'identify'>;
}

/** Checking a million rows takes minutes, and hours on a slow machine. */
const IMPORT_TIMEOUT_MS = 6 * 3_600_000;

/** Tasks that import a file of fields; their file is the report. A second attempt imports again what is stored already. */
const makeFieldsImportKind = ({ importFields, blobs }: FieldsImportDeps): TaskKind => ({
  async run({ id, owner, order }, { storeKey, signal, reportProgress }) {
    const staged = await blobs.stage(storeKey);
    try {
      const path = `${staged.path}.upload`;
      const stream = Readable.fromWeb(await blobs.read(toUploadKey(id), null, signal));
      await pipeline(stream, createWriteStream(path), { signal });
      await importWithReport(
        importFields,
        {
          owner,
          order: order as ImportOrder,
          path,
          checkedPath: `${staged.path}.rows`,
          ticket: { owner, lane: 'task', timeoutMs: IMPORT_TIMEOUT_MS, signal },
          onProgress: reportProgress,
        },
        staged.path,
      );
      const contentType = 'application/json';
      const { bytes, etag } = await staged.publish({ contentType }, signal);
      const storeId = await blobs.identify();
      return { kind: 'file', blobKey: storeKey, storeId, fileName: 'import.json', contentType, bytes, etag };
    } catch (error) {
      await staged.discard();
      throw error;
    }
  },
  discard: ({ blobKey }) => blobs.remove(blobKey),
});

/** The kinds of tasks about many fields. */
export const makeFieldsKinds = (deps: FieldsStatisticsDeps & FieldsImportDeps) => ({
  'fields-statistics': makeFieldsStatisticsKind(deps),
  'fields-import': makeFieldsImportKind(deps),
});

/** An order of statistics. */
type StatisticsTaskOrder =
  /** Programs learn from the poll, and not from the answer to the order, what is wrong with it. */
  | { readonly kind: 'refused'; readonly error: TaskError }
  | {
      readonly kind: 'scenes';
      readonly order: StatisticsOrder;
      readonly isList: boolean;
      readonly seasons?: PhenologyOptions;
    }
  | {
      readonly kind: 'soil-moisture';
      readonly order: SoilMoistureRequest & { readonly limit: number };
      readonly isList: boolean;
    };

/** An order of statistics as its task stores it, without its area. */
export type StoredStatistics =
  | Extract<StatisticsTaskOrder, { kind: 'refused' }>
  | {
      readonly kind: 'scenes';
      readonly order: Omit<StatisticsOrder, 'area'>;
      readonly isList: boolean;
      /** For a curve with its seasons: how they are made. */
      readonly seasons?: PhenologyOptions;
    }
  | {
      readonly kind: 'soil-moisture';
      readonly order: Omit<SoilMoistureRequest, 'where'> & { readonly limit: number };
      readonly isList: boolean;
    };

/** The order of a task; those from before areas were stored apart have theirs inside. */
function fromStoredStatistics({ order, area }: Pick<OrderedTask, 'order' | 'area'>): StatisticsTaskOrder {
  const stored = order as StoredStatistics;
  if (area === null || stored.kind === 'refused') return order as StatisticsTaskOrder;
  return stored.kind === 'scenes'
    ? { ...stored, order: { ...stored.order, area: area as MultiPolygonGeometry } }
    : { ...stored, order: { ...stored.order, where: area as AreaGeometry | PointGeometry } };
}

/** What a finished task of statistics answers. */
export interface StatisticsDocument extends StatisticsResult {
  readonly expressions: readonly string[];
  /** The expressions were ordered as a list, be it of one. */
  readonly isList: boolean;
  /** Of soil moisture: the root zone, by scene; absent for scenes. */
  readonly rootZones?: readonly (number | null)[];
  /** How seasons are made of it; absent if none were ordered. */
  readonly seasons?: PhenologyOptions;
}

/** What computes the statistics of scenes, and of soil moisture. */
interface StatisticsKindDeps {
  readonly statistics: ZonalStatistics;
  readonly soilMoisture: SoilMoisture;
}

/** What soil moisture is called among expressions. */
const SOIL_MOISTURE = 'soilmoisture';

/** Tasks that compute statistics. They store nothing but their document. */
export const makeStatisticsKind = ({ statistics, soilMoisture }: StatisticsKindDeps): TaskKind => ({
  async run(task, { signal, reportProgress }) {
    const { owner } = task;
    const wanted = fromStoredStatistics(task);
    if (wanted.kind === 'refused') throw new SwathError('bad-input', wanted.error.code, wanted.error.message);
    if (wanted.kind === 'soil-moisture') {
      const result = toSoilMoistureStatistics(await soilMoisture.read(wanted.order), wanted.order);
      const document: StatisticsDocument = { expressions: [SOIL_MOISTURE], isList: wanted.isList, ...result };
      return { kind: 'document', document };
    }
    const { order, isList, seasons } = wanted;
    const result = await statistics.run(order, {
      ticket: { owner, lane: 'task', timeoutMs: JOB_TIMEOUT_MS, signal },
      onProgress: reportProgress,
    });
    const document: StatisticsDocument = {
      expressions: order.expressions,
      isList,
      ...(seasons === undefined ? {} : { seasons }),
      ...result,
    };
    return { kind: 'document', document };
  },
  async discard() {},
});

interface ReportKindDeps {
  readonly blobs: Pick<BlobStore, 'stage' | 'remove' | 'identify'>;
  readonly fileName: string;
  /** Does the work; what it gives becomes the file. */
  readonly make: (task: OrderedTask, work: ReportWork) => Promise<object>;
}

/** What a report is made with: a ticket for its jobs too. */
interface ReportWork extends TaskWork {
  readonly ticket: Ticket & { readonly signal: AbortSignal };
}

/** Tasks whose file is a report: JSON for programs and people. */
export const makeReportKind = ({ blobs, fileName, make }: ReportKindDeps): TaskKind => ({
  async run(task, work) {
    const { storeKey, signal } = work;
    const ticket: ReportWork['ticket'] = {
      owner: task.owner,
      lane: 'task',
      timeoutMs: JOB_TIMEOUT_MS,
      signal,
    };
    const report = await make(task, { ...work, ticket });
    const staged = await blobs.stage(storeKey);
    try {
      await writeFile(staged.path, `${JSON.stringify(report, null, 2)}\n`);
      const contentType = 'application/json';
      const { bytes, etag } = await staged.publish({ contentType }, signal);
      const storeId = await blobs.identify();
      return { kind: 'file', blobKey: storeKey, storeId, fileName, contentType, bytes, etag };
    } catch (error) {
      await staged.discard();
      throw error;
    }
  },
  discard: ({ blobKey }) => blobs.remove(blobKey),
});
