import { tooLarge } from '../../errors.ts';
import type { AreaGeometry, PointGeometry } from '../../geo/index.ts';
import type { SceneStatistics } from '../../statistics/index.ts';
import type { StatisticsDocument, StatisticsTaskOrder } from '../../tasks/index.ts';
import { toCsv } from '../answer/csv.ts';

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
  readonly stored: Exclude<StatisticsTaskOrder, { kind: 'refused' }>;
  readonly document: StatisticsDocument;
}

/** All there is, as JSON. */
export function toStatisticsJson({ taskId, stored, document }: AnsweredStatistics): object {
  const { expressions, scenes, failures, rootZones } = document;
  const histogram = stored.kind === 'scenes' ? stored.order.histogram : null;
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
export function toStatisticsCsv({ document }: AnsweredStatistics): string {
  const { rootZones } = document;
  const more = rootZones === undefined ? [] : ['root_zone'];
  const lines: (string | number | null)[][] = [
    ['date', 'scene_id', 'view_id', 'cloud', 'expression', ...COLUMNS, ...more, 'notes'],
  ];
  for (const [at, scene] of document.scenes.entries()) {
    for (const [i, name] of document.expressions.entries()) {
      const row = toRow(scene.values[i] ?? null);
      lines.push([
        ...[scene.date, scene.sceneId, scene.viewId, scene.cloudPercent, name],
        ...COLUMNS.map((column) => row[column]),
        ...(rootZones === undefined ? [] : [rootZones[at] ?? null]),
        scene.notes.join('; '),
      ]);
    }
  }
  return toCsv(lines);
}

/** Positions in one answer: some 30 MB of text. */
const MAX_POSITIONS = 1_000_000;

type Geometry = AreaGeometry | PointGeometry;

function countPositions(geometry: Geometry): number {
  if (geometry.type === 'Point') return 1;
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return polygons.flat().reduce((sum, ring) => sum + ring.length, 0);
}

/** Positions are stored in steps of a tenth of a millimetre: more digits than these say nothing. */
const roundDegrees = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(roundDegrees) : Math.round((value as number) * 1e9) / 1e9;

const toShown = ({ type, coordinates }: Geometry) => ({ type, coordinates: roundDegrees(coordinates) });

/** One feature for each scene, with the area as its geometry: programs for maps can play them by date. */
export function toStatisticsGeoJson({ stored, document }: AnsweredStatistics): object {
  const area = stored.kind === 'scenes' ? stored.order.area : stored.order.where;
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
