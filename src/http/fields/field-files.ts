/** Files of fields: imports with a report for each row, and exports. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type {
  ExportFields,
  FieldFormat,
  FieldSelection,
  ImportedRow,
  ImportFields,
  ImportOrder,
  makeCheckFile,
} from '../../fields/index.ts';
import type { BlobStore } from '../../objects/index.ts';
import { toUploadKey } from '../../objects/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import type { ShapeFormat } from '../../vector/index.ts';
import { badInput, notFound, tooBusy } from '../errors.ts';
import { answerLongJson } from '../kit/answer-bodies.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { limits } from '../kit/limits.ts';
import { choice, defineParameters, text } from '../kit/parameters.ts';
import { noStore } from '../tasks/task.ts';
import { downloadAnswers } from '../tasks/task-answers.ts';
import { readSelection, selectionParameters } from './field-query.ts';
import { sharedParams } from './fields.ts';

/** What files of fields are read and written with. */
export interface FieldFileDeps {
  readonly fieldFiles: {
    readonly importFields: ImportFields;
    readonly checkFile: ReturnType<typeof makeCheckFile>;
    readonly exportFields: ExportFields;
    readonly blobs: Pick<BlobStore, 'stage' | 'remove'>;
  };
  readonly tasks: Pick<Tasks, 'create'>;
}

const IMPORT_FORMATS = [
  'geojson',
  'geojsonseq',
  'geopackage',
  'shapefile',
  'geoparquet',
  'kml',
  'csv',
] as const;

const column = (description: string) => text({ description, fallback: null });

export const importParameters = defineParameters({
  format: choice({
    description: 'The format of the file; by default the content type or the content decides.',
    names: IMPORT_FORMATS,
    fallback: null,
  }),
  group: text({ description: 'The group of all rows, in place of their own.', fallback: null }),
  id_property: column(
    'The column with your own id of a field; by default external_id, the id of the feature, or id. Rows with the id of a stored field update it.',
  ),
  name_property: column('The column with the name; by default name, title, label or field_name.'),
  group_property: column('The column with the group; by default group, farm or holding.'),
  crop_property: column('The column with the crop; by default crop, culture or crop_name.'),
  sown_property: column('The column with the sowing date; by default sown_on, sowing_date, sown or sowing.'),
  reference: text({ description: 'Your own name for the task of a long import.', fallback: null }),
});

/** Formats by content type; others say nothing. */
export const SHAPE_TYPES: Readonly<Record<string, ShapeFormat>> = {
  'application/geo+json': 'geojson',
  'application/geo+json-seq': 'geojsonseq',
  'application/geopackage+sqlite3': 'geopackage',
  'application/vnd.apache.parquet': 'geoparquet',
  'application/vnd.google-earth.kml+xml': 'kml',
  'text/csv': 'csv',
};

const toType = (written: string | null): string => (written ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** A file that is imported while its sender waits; longer ones become a task. */
const SMALL_BYTES = 4 * 2 ** 20;
const SMALL_ROWS = 2_000;

/** Files that come in, or are made, at a time, of all keys; of each key there is one. */
const MAX_FILES = 8;

/** Runs work on files, one at a time for each owner: files take room on the disk. */
export function makeTurns() {
  const working = new Set<string>();
  return async <Result>(owner: string, work: () => Promise<Result>): Promise<Result> => {
    if (working.has(owner) || working.size >= MAX_FILES) {
      throw tooBusy('too-many-bodies', 'Another file of fields is on its way; ask again after it.', {
        details: { retryAfterS: 2 },
      });
    }
    working.add(owner);
    try {
      return await work();
    } finally {
      working.delete(owner);
    }
  };
}

const countSchemas = {
  rows: json.integer(),
  created: json.integer(),
  updated: json.integer(),
  unchanged: json.integer(),
  refused: json.integer(),
  warning: json.nullable(json.string(), { description: 'What to look at in the file as a whole.' }),
};

/** `POST /api/fields/import`. */
export const importFile = (deps: FieldFileDeps): Endpoint => {
  const inTurn = makeTurns();
  return {
    summary: 'Import a file of fields',
    description: `The body is the file: GeoJSON, GeoPackage, a zipped Shapefile, GeoParquet, KML, or CSV with WKT. Each row is checked on its own, and the report says what became of it. Rows with the id of a stored field update it, so that a file can be imported again. Up to ${SMALL_ROWS} rows are imported at once; a longer file becomes a task, whose file is the report.`,
    tag: 'Fields',
    query: importParameters,
    body: {
      description: `The file, up to ${limits.uploadBytes / 2 ** 20} MiB.`,
      schema: json.any(),
      types: [...Object.keys(SHAPE_TYPES), 'application/octet-stream'],
    },
    answers: {
      200: {
        description: 'What became of each row.',
        content: {
          'application/json': json.object({
            ...countSchemas,
            report: json.list(
              json.object({
                row: json.integer({ description: 'From 1.' }),
                id: json.nullable(json.string(), { description: 'As the file has it.' }),
                field: json.nullable(json.string(), { description: 'The id of the field.' }),
                status: json.choice(['created', 'updated', 'unchanged', 'refused']),
                code: json.nullable(json.string()),
                message: json.nullable(json.string()),
                warning: json.nullable(json.string(), {
                  description: 'What to look at, of a row that was taken as it is.',
                }),
              }),
            ),
          }),
        },
      },
      202: {
        description: 'The file is long: a task imports it, and is polled as downloads are.',
        content: {
          'application/json': json.object(
            { status: json.string(), task_id: json.string(), reference: json.string() },
            { isOpen: true },
          ),
        },
      },
      400: { description: 'The query is malformed, or the file as a whole cannot be read.' },
      402: { description: 'The key has no room for a task of this size.' },
      413: { description: 'The file is too large.' },
      422: {
        description: 'The file has another format or reference system than can be read, or too many rows.',
      },
      503: { description: 'Another file of this key is coming in; retry after it.' },
    },
    handle: (request) => inTurn(request.ticket.owner, () => takeFile(request, deps)),
  };
};

async function takeFile(request: ApiRequest, { fieldFiles, tasks }: FieldFileDeps): Promise<Answer> {
  const { importFields, blobs } = fieldFiles;
  const { owner } = request.ticket;
  const toOrder = readImport(request);
  const id = randomUUID();
  const staged = await blobs.stage(toUploadKey(id));
  try {
    const { bytes, digest } = await request.saveBody(staged.path, limits.uploadBytes);
    if (bytes === 0) throw badInput('no-body', 'The request needs a file as its body.');
    const order = toOrder(digest);
    if (bytes <= SMALL_BYTES) {
      const report: ImportedRow[] = [];
      const counts = await importFields({
        owner,
        order,
        path: staged.path,
        checkedPath: `${staged.path}.rows`,
        maxRows: SMALL_ROWS,
        ticket: toFileTicket(request.ticket),
        report: (rows) => void report.push(...rows),
      });
      if (counts !== null) return await answerLongJson({ ...counts, report }, { headers: noStore });
    }
    await staged.publish({ contentType: 'application/octet-stream' }, request.ticket.signal);
    const reference = importParameters.reference.read(request.query);
    const ordered = { id, owner, kind: 'fields-import', reference, viewId: null, order, area: null };
    // The report has a line for each row; rows are at least as long.
    const task = await tasks
      .create({ ...ordered, estimatedBytes: 2 * bytes })
      .catch(async (error: unknown) => {
        await blobs.remove(toUploadKey(id));
        throw error;
      });
    // The same file under the same reference is the same task.
    if (task.id !== id) await blobs.remove(toUploadKey(id));
    return Answer.json(downloadAnswers.toCreated(task), { status: 202, headers: noStore });
  } finally {
    await staged.discard();
  }
}

/** Longer than a picture may take: tables are long, and clients that leave end the work. */
const FILE_TIMEOUT_MS = 600_000;

export const toFileTicket = ({ owner, signal }: Ticket): Ticket => ({
  owner,
  lane: 'task',
  timeoutMs: FILE_TIMEOUT_MS,
  ...(signal === undefined ? {} : { signal }),
});

/** Reads how a file is to be imported; the digest comes with its bytes. */
export function readImport({
  query,
  headers,
}: Pick<ApiRequest, 'query' | 'headers'>): (digest: string) => ImportOrder {
  const type = toType(headers.get('content-type'));
  const format = importParameters.format.read(query) ?? SHAPE_TYPES[type] ?? null;
  const columns = {
    id: importParameters.id_property.read(query),
    name: importParameters.name_property.read(query),
    group: importParameters.group_property.read(query),
    crop: importParameters.crop_property.read(query),
    sownOn: importParameters.sown_property.read(query),
  };
  const group = importParameters.group.read(query);
  return (digest) => ({ format, columns, group, digest });
}

/** Files by format. */
const FILES: Readonly<Record<FieldFormat, { readonly name: string; readonly type: string }>> = {
  geojson: { name: 'fields.geojson', type: 'application/geo+json' },
  csv: { name: 'fields.csv', type: 'text/csv; charset=utf-8' },
  geoparquet: { name: 'fields.parquet', type: 'application/vnd.apache.parquet' },
  geopackage: { name: 'fields.gpkg', type: 'application/geopackage+sqlite3' },
  shapefile: { name: 'fields.zip', type: 'application/zip' },
};

const exportParameters = {
  ...selectionParameters,
  ...defineParameters({
    format: choice({
      description: 'The format of the file; geojson by default.',
      names: ['geojson', 'csv', 'geoparquet', 'geopackage', 'shapefile'],
      fallback: 'geojson',
    }),
  }),
};

const fileAnswer: Endpoint['answers'] = {
  200: {
    description:
      'The file, with the columns id, external_id, name, group, crop, sown_on, hectares, properties and the geometry.',
    content: Object.fromEntries(Object.values(FILES).map(({ type }) => [type.split(';')[0] as string, null])),
  },
  400: { description: 'The query is malformed.' },
  503: { description: 'Another file of this key is being made; retry after it.' },
};

/** `GET /api/fields/export`. */
export const exportFile = (deps: FieldFileDeps, inTurn = makeTurns()): Endpoint => ({
  summary: 'Export fields as a file',
  description:
    'The fields of the key, or those of a group, a box or a position. An import reads the file again, and finds nothing changed.',
  tag: 'Fields',
  query: exportParameters,
  answers: fileAnswer,
  handle: (request) =>
    inTurn(request.ticket.owner, async () =>
      sendFile(request, deps, {
        selection: readSelection(request.query, request.ticket.owner),
        format: exportParameters.format.read(request.query),
      }),
    ),
});

/** `GET /api/public/{token}/fields.geojson`: the fields of a shared group, for a map. */
export const exportShared = (deps: FieldFileDeps, inTurn = makeTurns()): Endpoint => ({
  summary: 'The fields of a shared group as GeoJSON, without a key',
  tag: 'Fields',
  params: sharedParams,
  answers: {
    200: { description: 'A FeatureCollection.', content: { 'application/geo+json': null } },
    404: { description: 'No such link.' },
    410: { description: 'The group is not shared any more.' },
    429: { description: 'The limit of the link is reached.' },
  },
  async handle(request) {
    const { group: shared } = request;
    if (shared === null) throw notFound('unknown-map', 'There is no such link to fields.');
    const { owner, group } = shared;
    return inTurn(owner, () => sendFile(request, deps, { selection: { owner, group }, format: 'geojson' }));
  },
});

/** Makes a file, sends it, and removes it. */
async function sendFile(
  { ticket }: ApiRequest,
  { fieldFiles: { exportFields, blobs } }: FieldFileDeps,
  { selection, format }: { readonly selection: FieldSelection; readonly format: FieldFormat },
): Promise<Answer> {
  const staged = await blobs.stage(`${randomUUID()}.export`);
  try {
    await exportFields({
      selection,
      format,
      path: staged.path,
      linesPath: `${staged.path}.rows`,
      ticket: toFileTicket(ticket),
    });
    const { size } = await stat(staged.path);
    const { name, type } = FILES[format];
    const file = createReadStream(staged.path);
    file.once('close', () => void staged.discard());
    // A client that leaves reads no more.
    ticket.signal?.addEventListener('abort', () => file.destroy(), { once: true });
    return new Answer(Readable.toWeb(file) as ReadableStream<Uint8Array<ArrayBuffer>>, {
      headers: {
        'content-type': type,
        'content-length': String(size),
        'content-disposition': `attachment; filename="${name}"`,
        ...noStore,
      },
    });
  } catch (error) {
    await staged.discard();
    throw error;
  }
}
