/** Statistics on the two addresses of tasks: codes of refusals, and results. */

import type { StatisticsDocument, TaskError } from '../../tasks/index.ts';
import type { SceneFailure, SceneStatistics } from '../../zonal/index.ts';

/** Why an order of statistics is refused, and the code of it in `error_status` (docs/use/statistics.md, "As a task"). */
const STATISTICS_CODES = {
  'statistics-scene-limit': '00001',
  'statistics-sensors': '00010',
  'statistics-dates-reversed': '00011',
  'statistics-date': '00100',
  'statistics-no-geometry': '00101',
  'statistics-geometry-type': '00110',
  'statistics-geometry-invalid': '00111',
  'statistics-geometry-malformed': '01000',
  'statistics-expression': '01001',
  'statistics-search': '01010',
  'statistics-area': '01011',
  'statistics-computation': '01100',
} as const satisfies Readonly<Record<string, string>>;

/** A reason of refusal. */
export type StatisticsRefusal = keyof typeof STATISTICS_CODES;

/** The code of an error on the wire; null for one that the table does not have. */
export const toStatisticsCode = ({ code }: TaskError): string | null =>
  Object.hasOwn(STATISTICS_CODES, code) ? STATISTICS_CODES[code as StatisticsRefusal] : null;

/** A refusal that the poll reports, with a code of the interface. */
export class RefusedStatistics extends Error {
  readonly code: StatisticsRefusal;
  constructor(code: StatisticsRefusal, message: string) {
    super(message);
    this.code = code;
  }
}

type Metrics = Readonly<Record<string, number | null>>;

const METRICS = [
  ...(['q1', 'q3', 'max', 'min', 'p10', 'p90', 'std', 'median', 'average', 'variance'] as const),
];

/** The metrics of an expression; all are null where no pixel counts. */
const toMetrics = (statistics: SceneStatistics['values'][number]): Metrics =>
  Object.fromEntries(METRICS.map((name) => [name, statistics === null ? null : statistics[name]]));

const toScene = ({ sceneId, viewId, date }: SceneStatistics | SceneFailure) => ({
  scene_id: sceneId,
  view_id: viewId,
  date,
});

/** Metrics by expression, as the caller has written it. */
const byName = (
  { expressions }: StatisticsDocument,
  { values }: SceneStatistics,
): Readonly<Record<string, Metrics>> =>
  Object.fromEntries(expressions.map((name, i) => [name, toMetrics(values[i] ?? null)]));

/** Only soil moisture has it: the root zone, by the exponential filter of ten days. */
const toRootZone = ({ rootZones }: StatisticsDocument, i: number): object =>
  rootZones === undefined ? {} : { ctime10: rootZones[i] ?? null };

/** The result on the download host: metrics as they are, or one object for each expression of a list. */
export const toDownloadResult = (document: StatisticsDocument) => ({
  errors: document.failures.map((failure) => ({
    status: 'error',
    ...toScene(failure),
    error: failure.message,
    notes: failure.notes,
  })),
  result: document.scenes.map((scene, i) => ({
    ...toScene(scene),
    cloud: scene.cloudPercent,
    notes: scene.notes,
    ...(document.isList ? byName(document, scene) : toMetrics(scene.values[0] ?? null)),
    ...toRootZone(document, i),
  })),
});

/** The result on the statistics host: a list has `indexes`, and a list of one also the metrics as they are. */
export const toStatisticsResult = (document: StatisticsDocument) => ({
  errors: document.failures.map((failure) => ({
    ...toScene(failure),
    error: failure.message,
    notes: failure.notes,
  })),
  result: document.scenes.map((scene, i) => ({
    ...toScene(scene),
    cloud: scene.cloudPercent,
    notes: scene.notes,
    ...(document.isList ? { indexes: byName(document, scene) } : {}),
    ...(document.expressions.length === 1 ? toMetrics(scene.values[0] ?? null) : {}),
    ...toRootZone(document, i),
  })),
});
