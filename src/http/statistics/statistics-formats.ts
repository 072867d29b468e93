import type { AreaGeometry, PointGeometry } from '../../geo/index.ts';
import type { SceneStatistics } from '../../statistics/index.ts';
import type { StatisticsDocument, StatisticsTaskOrder } from '../../tasks/index.ts';
import { toCsv } from '../answer/csv.ts';
import { listEach } from '../answer/long-json-answer.ts';

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
    results: listEach(scenes, (scene, at) => ({
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

/** One row for each scene and expression, line by line. */
export function* toStatisticsCsv({ document }: AnsweredStatistics): Generator<string, void, void> {
  const { rootZones } = document;
  const more = rootZones === undefined ? [] : ['root_zone'];
  yield toCsv([['date', 'scene_id', 'view_id', 'cloud', 'expression', ...COLUMNS, ...more, 'notes']]);
  for (const [at, scene] of document.scenes.entries()) {
    for (const [i, name] of document.expressions.entries()) {
      const row = toRow(scene.values[i] ?? null);
      const line = [
        ...[scene.date, scene.sceneId, scene.viewId, scene.cloudPercent, name],
        ...COLUMNS.map((column) => row[column]),
        ...(rootZones === undefined ? [] : [rootZones[at] ?? null]),
        scene.notes.join('; '),
      ];
      yield toCsv([line]);
    }
  }
}

/** Positions are stored in steps of a tenth of a millimetre: more digits than these say nothing. */
const roundDegrees = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(roundDegrees) : Math.round((value as number) * 1e9) / 1e9;

const toShown = ({ type, coordinates }: AreaGeometry | PointGeometry) => ({
  type,
  coordinates: roundDegrees(coordinates),
});

/**
 * One feature for each scene. The area is the geometry of the first, and the others have none (RFC 7946 3.2): repeated in
 * every scene, an area of ten thousand positions would make an answer of many megabytes out of a small request.
 */
export function toStatisticsGeoJson({ stored, document }: AnsweredStatistics): object {
  const area = stored.kind === 'scenes' ? stored.order.area : stored.order.where;
  return {
    type: 'FeatureCollection',
    features: listEach(document.scenes, (scene, i) => ({
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
