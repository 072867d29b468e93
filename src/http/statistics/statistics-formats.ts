/** Documents of statistics as they are answered: JSON, CSV, GeoJSON, and the poll of a task. */
import type { AreaGeometry, PointGeometry } from '../../geo/index.ts';
import type { HistogramBins } from '../../numbers/index.ts';
import type { StatisticsDocument } from '../../tasks/index.ts';
import type { SceneStatistics } from '../../zonal/index.ts';
import { roundDegrees, toCsv } from '../kit/answer-bodies.ts';
import type { DocumentQuestion, WriteDocument } from '../tasks/task-answers.ts';
import { TASK_FORMS } from '../tasks/task-answers.ts';
import { toPhenologyJson } from './phenology-answers.ts';

/** The statistics of an expression, in the order of columns. */
const COLUMNS = [
  ...(['count', 'average', 'min', 'max', 'std', 'variance'] as const),
  ...(['median', 'q1', 'q3', 'p10', 'p90'] as const),
];

type Row = Readonly<Record<(typeof COLUMNS)[number], number | null>>;

/** Without valid pixels the count is 0 and the other statistics are null. */
const toRow = (values: SceneStatistics['values'][number]): Row =>
  Object.fromEntries(
    COLUMNS.map((name) => [name, values === null ? (name === 'count' ? 0 : null) : values[name]]),
  ) as Row;

/** All there is, as JSON. */
export function toStatisticsJson(
  { expressions, scenes, failures, rootZones }: StatisticsDocument,
  { taskId, histogram }: { readonly taskId: string; readonly histogram: HistogramBins | null },
): object {
  return {
    status: 'finished',
    task_id: taskId,
    results: scenes.map((scene, at) => ({
      date: scene.date,
      scene_id: scene.sceneId,
      view_id: scene.viewId,
      cloud: scene.cloudPercent,
      notes: scene.notes,
      values: Object.fromEntries(
        expressions.map((name, i) => [
          name,
          {
            ...toRow(scene.values[i] ?? null),
            ...(rootZones === undefined ? {} : { root_zone: rootZones[at] ?? null }),
            ...(histogram === null
              ? {}
              : { histogram: { ...histogram, counts: scene.histograms?.[i] ?? [] } }),
          },
        ]),
      ),
    })),
    errors: failures.map(({ date, sceneId, viewId, code, message, notes }) => ({
      date,
      scene_id: sceneId,
      view_id: viewId,
      code,
      error: message,
      notes,
    })),
  };
}

/** One row for each scene and expression. */
export function toStatisticsCsv({ expressions, scenes, rootZones }: StatisticsDocument): string {
  const more = rootZones === undefined ? [] : ['root_zone'];
  const names = ['date', 'scene_id', 'view_id', 'cloud', 'expression', ...COLUMNS, ...more, 'notes'];
  const rows = scenes.flatMap((scene, at) =>
    expressions.map((name, i) => {
      const row = toRow(scene.values[i] ?? null);
      return [
        ...[scene.date, scene.sceneId, scene.viewId, scene.cloudPercent, name],
        ...COLUMNS.map((column) => row[column]),
        ...(rootZones === undefined ? [] : [rootZones[at] ?? null]),
        scene.notes.join('; '),
      ];
    }),
  );
  return toCsv([names, ...rows]);
}

const roundPositions = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(roundPositions) : roundDegrees(value as number);

const toShown = ({ type, coordinates }: AreaGeometry | PointGeometry) => ({
  type,
  coordinates: roundPositions(coordinates),
});

/**
 * One feature for each scene. The area is the geometry of the first, and the others have none (RFC 7946 3.2): repeated in
 * every scene, an area of ten thousand positions would make an answer of many megabytes out of a small request.
 */
export function toStatisticsGeoJson(
  document: StatisticsDocument,
  area: AreaGeometry | PointGeometry,
): object {
  return {
    type: 'FeatureCollection',
    features: document.scenes.map((scene, i) => ({
      type: 'Feature',
      id: scene.viewId,
      geometry: i === 0 ? toShown(area) : null,
      properties: {
        date: scene.date,
        scene_id: scene.sceneId,
        view_id: scene.viewId,
        cloud: scene.cloudPercent,
        ...Object.fromEntries(
          document.expressions.flatMap((name, k) =>
            Object.entries(toRow(scene.values[k] ?? null)).map(([column, value]) => [
              `${name}_${column}`,
              value,
            ]),
          ),
        ),
      },
    })),
  };
}

/**
 * What is written at once, in characters of the document and of its area: one or two milliseconds' work. A curve of two
 * years, a hundred scenes, is short: starting the other thread would take a hundred times as long as writing it.
 */
const SHORT = 65_536;

/**
 * Writes short answers at once and leaves long ones to another thread: five thousand measurements are 1.5 MB, which take
 * 30 ms to parse and to write.
 */
export const makeWriteDocument =
  (writeElsewhere: WriteDocument): WriteDocument =>
  async (question, signal) => {
    const chars = question.document.length + (question.kind === 'geojson' ? question.area.length : 0);
    // A curve has a value for each day of years, however few scenes it is made of.
    const isShort = chars <= SHORT && question.kind !== 'phenology';
    return isShort ? writeDocument(question) : writeElsewhere(question, signal);
  };

/** Writes an answer of any length at once. */
export function writeDocument(question: DocumentQuestion): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(toText(question, JSON.parse(question.document) as StatisticsDocument));
}

function toText(question: DocumentQuestion, document: StatisticsDocument): string {
  switch (question.kind) {
    case 'poll': {
      const { form, task, callback } = question;
      const body = TASK_FORMS[form].toFinished(task, { resultUrl: null, document });
      return JSON.stringify(callback === null ? body : { ...body, callback });
    }
    case 'json':
      return JSON.stringify(toStatisticsJson(document, question));
    case 'csv':
      return toStatisticsCsv(document);
    case 'phenology':
      return JSON.stringify(toPhenologyJson(document, question));
    case 'geojson': {
      const area = JSON.parse(question.area) as AreaGeometry | PointGeometry;
      return JSON.stringify(toStatisticsGeoJson(document, area));
    }
  }
}
