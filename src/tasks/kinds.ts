/** The kinds of tasks: how the orders of each are carried out, with a file or a document as the result. */
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BulkOrder, BulkStatistics } from '../bulk/index.ts';
import { toBulkFile } from '../bulk/index.ts';
import { SwathError } from '../errors.ts';
import type { DownloadKind, Downloads } from '../exports/index.ts';
import type { ImportFields, ImportOrder } from '../fields/index.ts';
import { importWithReport } from '../fields/index.ts';
import type { AreaGeometry, MultiPolygonGeometry, PointGeometry } from '../geo/index.ts';
import { summarize } from '../numbers/index.ts';
import type { BlobStore } from '../objects/index.ts';
import { toUploadKey } from '../objects/index.ts';
import type { Ticket } from '../pool/index.ts';
import type { PhenologyOptions } from '../seasons/index.ts';
import type {
  SoilMoisture,
  SoilMoistureDay,
  SoilMoistureRequest,
  SoilMoistureSeries,
} from '../soil-moisture/index.ts';
import type { SceneStatistics, StatisticsOrder, StatisticsResult, ZonalStatistics } from '../zonal/index.ts';
import type { OrderedTask, TaskError, TaskKind, TaskWork } from './task.ts';

/** A ticket for the jobs of a task. */
type TaskTicket = Ticket & { readonly signal: AbortSignal };

/** The longest time of one job on a pixel thread: a part of a file, or the statistics of one scene. */
const JOB_TIMEOUT_MS = 600_000;

const toTaskTicket = (owner: string, signal: AbortSignal): TaskTicket => ({
  owner,
  lane: 'task',
  timeoutMs: JOB_TIMEOUT_MS,
  signal,
});

type FileBlobs = Pick<BlobStore, 'stage' | 'remove' | 'identify'>;

/** What a task works with whose result is a file. */
interface FileWork extends TaskWork {
  /** Where to write the file: nothing is there yet. Files next to it are removed with it. */
  readonly path: string;
  readonly ticket: TaskTicket;
}

/** Writes the file of a task, and names it. */
type WriteFile = (
  task: OrderedTask,
  work: FileWork,
) => Promise<{ readonly fileName: string; readonly contentType: string }>;

/** Tasks whose result is a file. It is written next to the results, synced, and then published in one step. */
const makeFileKind = (blobs: FileBlobs, write: WriteFile): TaskKind => ({
  async run(task, work) {
    const { storeKey, signal } = work;
    const staged = await blobs.stage(storeKey);
    try {
      const ticket = toTaskTicket(task.owner, signal);
      const { fileName, contentType } = await write(task, { ...work, path: staged.path, ticket });
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

interface DownloadDeps {
  readonly kind: DownloadKind;
  readonly downloads: Downloads;
  readonly blobs: FileBlobs;
}

/** Tasks that make a file of a scene. */
export const makeDownloadKind = ({ kind, downloads, blobs }: DownloadDeps): TaskKind =>
  makeFileKind(blobs, async ({ order, area }, { path, ticket, reportProgress }) => {
    const planned = await downloads.plan(kind, downloads.fromStored({ order, area }));
    const { fileName, contentType, blocks: total } = planned;
    reportProgress({ done: 0, total });
    await planned.write(path, { ticket, onProgress: (done) => reportProgress({ done, total }) });
    return { fileName, contentType };
  });

interface ReportKindDeps {
  readonly blobs: FileBlobs;
  readonly fileName: string;
  /** Does the work; what it gives becomes the file. */
  readonly make: (task: OrderedTask, work: FileWork) => Promise<object>;
}

const JSON_TYPE = 'application/json';

/** Tasks whose file is a report: JSON for programs and people. */
export const makeReportKind = ({ blobs, fileName, make }: ReportKindDeps): TaskKind =>
  makeFileKind(blobs, async (task, work) => {
    await writeFile(work.path, `${JSON.stringify(await make(task, work), null, 2)}\n`);
    return { fileName, contentType: JSON_TYPE };
  });

/** Checking a million rows takes minutes, and hours on a slow machine. */
const IMPORT_TIMEOUT_MS = 6 * 3_600_000;

interface FieldsKindsDeps {
  readonly bulk: BulkStatistics;
  readonly importFields: ImportFields;
  readonly blobs: FileBlobs & Pick<BlobStore, 'read'>;
}

/** The kinds of tasks about many fields. */
export const makeFieldsKinds = ({ bulk, importFields, blobs }: FieldsKindsDeps) => ({
  /** Measures many fields and writes a table. Parts that are measured are stored under the task's id. */
  'fields-statistics': makeFileKind(blobs, async (task, { path, ticket, reportProgress }) => {
    const { id, owner, area } = task;
    const order = task.order as BulkOrder;
    await bulk.run({ id, owner, order, collection: area }, { path, ticket, onProgress: reportProgress });
    return toBulkFile(order);
  }),

  /** Imports a file of fields; its own file is the report. A second attempt imports again what is stored already. */
  'fields-import': makeFileKind(blobs, async (task, { path, ticket, reportProgress }) => {
    const uploadPath = `${path}.upload`;
    const { signal } = ticket;
    const stream = Readable.fromWeb(await blobs.read(toUploadKey(task.id), null, signal));
    await pipeline(stream, createWriteStream(uploadPath), { signal });
    await importWithReport(
      importFields,
      {
        owner: task.owner,
        order: task.order as ImportOrder,
        path: uploadPath,
        checkedPath: `${path}.rows`,
        ticket: { ...ticket, timeoutMs: IMPORT_TIMEOUT_MS },
        onProgress: reportProgress,
      },
      path,
    );
    return { fileName: 'import.json', contentType: JSON_TYPE };
  }),
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
      ticket: toTaskTicket(owner, signal),
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
