import { tooLarge } from '../../errors.ts';
import type { MultiPolygonGeometry } from '../../geo/index.ts';
import type { SceneStatistics, StatisticsOrder } from '../../statistics/index.ts';
import type { StatisticsDocument } from '../../tasks/index.ts';

/** The statistics of an expression, in the order of columns. */
const COLUMNS = [
  ...(['count', 'average', 'min', 'max', 'std', 'variance'] as const),
  ...(['median', 'q1', 'q3', 'p10', 'p90'] as const),
];

type Row = Readonly<Record<(typeof COLUMNS)[number], number | null>>;

/** No pixel counts: the count is 0, and there is nothing to say of the rest. */
const toRow = (values: SceneStatistics['values'][number]): Row =>
  Object.fromEntries(
    COLUMNS.map((name) => [name, values === null ? (name === 'count' ? 0 : null) : values[name]]),
  ) as Row;

/** Finished statistics, with what they were ordered for. */
export interface AnsweredStatistics {
  readonly taskId: string;
  readonly order: StatisticsOrder;
  readonly document: StatisticsDocument;
}

/** All there is, as JSON. */
export function toStatisticsJson({ taskId, order, document }: AnsweredStatistics): object {
  const { expressions, scenes, failures } = document;
  return {
    status: 'finished',
    task_id: taskId,
    results: scenes.map((scene) => ({
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
            ...(order.histogram === null
              ? {}
              : { histogram: { ...order.histogram, counts: scene.histograms?.[i] ?? [] } }),
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

/** A value of a CSV file (RFC 4180). */
function toCell(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One row for each scene and expression. */
export function toStatisticsCsv({ document }: AnsweredStatistics): string {
  const lines = [['date', 'scene_id', 'view_id', 'cloud', 'expression', ...COLUMNS, 'notes']];
  for (const scene of document.scenes) {
    for (const [i, name] of document.expressions.entries()) {
      const row = toRow(scene.values[i] ?? null);
      lines.push(
        [
          ...[scene.date, scene.sceneId, scene.viewId, scene.cloudPercent, name],
          ...COLUMNS.map((column) => row[column]),
          scene.notes.join('; '),
        ].map(toCell),
      );
    }
  }
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** Positions in one answer: some 30 MB of text. */
const MAX_POSITIONS = 1_000_000;

const countPositions = ({ coordinates }: MultiPolygonGeometry): number =>
  coordinates.flat().reduce((sum, ring) => sum + ring.length, 0);

/** Positions are stored in steps of a tenth of a millimetre: more digits than these say nothing. */
const roundDegrees = (degrees: number): number => Math.round(degrees * 1e9) / 1e9;

const toShown = ({ type, coordinates }: MultiPolygonGeometry) => ({
  type,
  coordinates: coordinates.map((rings) => rings.map((ring) => ring.map((at) => at.map(roundDegrees)))),
});

/** One feature for each scene, with the area as its geometry: programs for maps can play them by date. */
export function toStatisticsGeoJson({ order, document }: AnsweredStatistics): object {
  const { area } = order;
  const geometry = toShown(area);
  const positions = countPositions(area) * document.scenes.length;
  if (positions > MAX_POSITIONS) {
    throw tooLarge(
      'geojson-too-large',
      `As GeoJSON the answer would repeat the area for each scene, ${positions} positions in all; the limit is ${MAX_POSITIONS}. JSON and CSV have none.`,
    );
  }
  return {
    type: 'FeatureCollection',
    features: document.scenes.map((scene) => ({
      type: 'Feature',
      id: scene.viewId,
      geometry,
      properties: {
        date: scene.date,
        scene_id: scene.sceneId,
        view_id: scene.viewId,
        cloud: scene.cloudPercent,
        ...Object.fromEntries(
          document.expressions.flatMap((name, i) =>
            Object.entries(toRow(scene.values[i] ?? null)).map(([column, value]) => [
              `${name}_${column}`,
              value,
            ]),
          ),
        ),
      },
    })),
  };
}
