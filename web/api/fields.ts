/** Fields of the key: listed, read, stored, changed, deleted and brought by files. */
import type { Box, Outline } from '../scenes/footprint.ts';
import { parseOutline } from '../scenes/footprint.ts';
import { asNumber, asRecord, asText } from '../scenes/read-json.ts';
import { toFailure, unknownForm } from './failure.ts';
import type { TaskFileParts, TaskFollowing } from './task-file.ts';
import { readTaskFile } from './task-file.ts';

/** A field as the list has it. */
export interface Field {
  readonly id: string;
  readonly name: string;
  readonly group: string | null;
  readonly crop: string | null;
  /** `YYYY-MM-DD`. */
  readonly sownOn: string | null;
  readonly hectares: number;
  readonly box: Box;
  readonly version: number;
  readonly updatedAt: string;
  /** What subscriptions measured last. */
  readonly lastValues: readonly {
    readonly expression: string;
    readonly value: number;
    readonly date: string;
  }[];
}

/** All fields, or the first of very many. */
export interface FieldList {
  readonly fields: readonly Field[];
  readonly hasMore: boolean;
  /** Whether the key may change them. */
  readonly mayChange: boolean;
}

/** What can be said of a field; `null` removes it. */
export interface FieldChange {
  readonly name?: string;
  readonly crop?: string | null;
  readonly group?: string | null;
  readonly sown_on?: string | null;
  readonly geometry?: Outline;
}

/** A row of a file that was not taken, or that needs a look. */
export interface ReportedRow {
  readonly row: number;
  readonly id: string | null;
  readonly isRefused: boolean;
  readonly text: string;
}

/** What became of a file. */
export interface ImportReport {
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
  /** Rows that were refused, or have a warning. */
  readonly noted: readonly ReportedRow[];
}

/** The calls. */
export interface FieldApi {
  list(signal: AbortSignal): Promise<FieldList>;
  /** The outline of a field. */
  readOutline(id: string, signal?: AbortSignal): Promise<Outline>;
  /** The outlines of all fields as GeoJSON, whose features have the property `id`. */
  readOutlines(signal: AbortSignal): Promise<FieldShapes>;
  store(field: FieldChange & { readonly name: string; readonly geometry: Outline }): Promise<Field>;
  /** Refused if someone else has changed the field since. */
  change(field: Pick<Field, 'id' | 'version'>, change: FieldChange): Promise<Field>;
  remove(id: string): Promise<void>;
  /** Imports all shapes of a file. */
  importFile(file: File, group: string | null, following: TaskFollowing): Promise<ImportReport>;
}

/** Outlines by id. */
export type FieldShapes = readonly { readonly id: string; readonly outline: Outline }[];

const PAGE = 1000;
/** More would not be a list that anyone reads; the map draws no more either. */
export const MAX_LISTED_FIELDS = 10_000;
/** A file may have 256 MiB, and lines are slow. */
const UPLOAD_TIMEOUT_MS = 30 * 60_000;
const EXPORT_TIMEOUT_MS = 120_000;

/** Content types by the end of a file's name; of others the content decides. */
const TYPES: Readonly<Record<string, string>> = {
  geojson: 'application/geo+json',
  geojsonl: 'application/geo+json-seq',
  gpkg: 'application/geopackage+sqlite3',
  parquet: 'application/vnd.apache.parquet',
  kml: 'application/vnd.google-earth.kml+xml',
  csv: 'text/csv',
};

/** The type of a file for the server. */
export const toContentType = (fileName: string): string =>
  TYPES[/\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';

/** Reads a field; `null` for what is none. */
export const parseField = (value: unknown): Field | null => {
  const fields = asRecord(value);
  const [id, name] = [asText(fields.id), asText(fields.name)];
  if (id === null || name === null || !Array.isArray(fields.bbox)) return null;
  const numbers = fields.bbox.map(asNumber);
  const [west, south, east, north] = numbers;
  if (numbers.length !== 4 || west == null || south == null || east == null || north == null) return null;
  return {
    id,
    name,
    group: asText(fields.group),
    crop: asText(fields.crop),
    sownOn: asText(fields.sown_on),
    hectares: asNumber(fields.hectares) ?? 0,
    // A box across the antimeridian goes on beyond 180.
    box: [west, south, east < west ? east + 360 : east, north],
    version: asNumber(fields.version) ?? 1,
    updatedAt: asText(fields.updated_at) ?? '',
    lastValues: (Array.isArray(fields.last_values) ? fields.last_values : []).flatMap((one: unknown) => {
      const last = asRecord(one);
      const [expression, number, date] = [asText(last.expression), asNumber(last.value), asText(last.date)];
      return expression === null || number === null || date === null
        ? []
        : [{ expression, value: number, date: date.slice(0, 10) }];
    }),
  };
};

/** Reads the report of an import. */
export const parseReport = (body: unknown): ImportReport => {
  const { report, ...counts } = asRecord(body);
  if (!Array.isArray(report)) throw unknownForm();
  const count = (name: string): number => asNumber(counts[name]) ?? 0;
  return {
    rows: count('rows'),
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    refused: count('refused'),
    noted: report.flatMap((one: unknown) => {
      const line = asRecord(one);
      const text = asText(line.message) ?? asText(line.warning);
      if (text === null) return [];
      return [
        { row: asNumber(line.row) ?? 0, id: asText(line.id), isRefused: line.status === 'refused', text },
      ];
    }),
  };
};

/** Reads an export. */
export const parseShapes = (body: unknown): FieldShapes => {
  const { features } = asRecord(body);
  if (!Array.isArray(features)) throw unknownForm();
  return features.flatMap((feature: unknown) => {
    const { properties, geometry } = asRecord(feature);
    const [id, outline] = [asText(asRecord(properties).id), parseOutline(geometry)];
    return id === null || outline === null ? [] : [{ id, outline }];
  });
};

/** Builds the calls. */
export const makeFieldApi = (parts: TaskFileParts): FieldApi => {
  const { api } = parts;
  const read = async (response: Response): Promise<unknown> => {
    const text = await response.text();
    if (!response.ok) throw toFailure(response.status, text);
    return JSON.parse(text);
  };
  const toField = (body: unknown): Field => {
    const field = parseField(body);
    if (field === null) throw unknownForm();
    return field;
  };
  return {
    async list(signal) {
      const fields: Field[] = [];
      let mayChange = false;
      for (let after: string | null = null; ; ) {
        const from: string = after === null ? '' : `&after=${encodeURIComponent(after)}`;
        const answer = asRecord(await api.call(`api/fields?limit=${PAGE}${from}`, {}, signal));
        if (!Array.isArray(answer.fields)) throw unknownForm();
        fields.push(...answer.fields.map(parseField).filter((field) => field !== null));
        mayChange = answer.may_change === true;
        after = asText(answer.next);
        if (after === null || fields.length >= MAX_LISTED_FIELDS)
          return { fields, mayChange, hasMore: after !== null };
      }
    },
    async readOutline(id, signal) {
      const answer = await api.call(`api/fields/${encodeURIComponent(id)}`, {}, signal);
      const outline = parseOutline(asRecord(answer).geometry);
      if (outline === null) throw unknownForm();
      return outline;
    },
    readOutlines: async (signal) =>
      parseShapes(
        await read(await api.send('api/fields/export?format=geojson', {}, signal, EXPORT_TIMEOUT_MS)),
      ),
    store: async (field) => toField(await api.call('api/fields', { method: 'POST', body: field })),
    async change({ id, version }, change) {
      const init = {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', 'if-match': `"${version}"` },
        body: JSON.stringify(change),
      };
      return toField(await read(await api.send(`api/fields/${encodeURIComponent(id)}`, init)));
    },
    remove: async (id) => void (await api.call(`api/fields/${encodeURIComponent(id)}`, { method: 'DELETE' })),
    async importFile(file, group, following) {
      const query = group === null ? '' : `?group=${encodeURIComponent(group)}`;
      const init = { method: 'POST', headers: { 'content-type': toContentType(file.name) }, body: file };
      const response = await api.send(`api/fields/import${query}`, init, following.signal, UPLOAD_TIMEOUT_MS);
      const answer = await read(response);
      if (response.status !== 202) return parseReport(answer);
      const taskId = asText(asRecord(answer).task_id);
      if (taskId === null) throw unknownForm();
      return parseReport(JSON.parse(await readTaskFile(parts, taskId, following)));
    },
  };
};
