import type { MultiPolygonGeometry } from '../geo/index.ts';
import type { Column } from '../vector/index.ts';
import type { Measured, SceneStatistics } from '../zonal/index.ts';
import type { BulkOrder } from './bulk-order.ts';
import type { PartScene } from './scene-part.ts';
import type { ShapeNames } from './shape-snapshot.ts';

/** A cell of a row. */
export type Cell = string | number | object | null;

/** What a row is made of: a shape in a scene. */
export interface RowSource {
  readonly names: ShapeNames;
  /** Null where the format has no geometries. */
  readonly geometry: MultiPolygonGeometry | null;
  readonly scene: PartScene;
  readonly statistics: Pick<SceneStatistics, 'cloudPercent' | 'notes' | 'values'>;
  /** One for each expression; null for a scene that could not be read. */
  readonly measured: readonly (Measured | null)[];
  /** Cells of the joined columns. */
  readonly joined: readonly (number | null)[];
}

/** Takes the cells of a row, one after the other. */
type PutCell = (cell: Cell) => void;

/** The columns of a result (docs/use/fields-statistics.md), and the rows of a shape in a scene. */
export interface ResultTable {
  readonly columns: readonly Column[];
  /** Rows of a shape in a scene. */
  readonly rowsOfSource: number;
  /** Puts the cells of a row. */
  putRow(source: RowSource, row: number, put: PutCell): void;
}

const NAME_COLUMNS: readonly Column[] = [
  { name: 'field_id', type: 'text' },
  { name: 'external_id', type: 'text' },
  { name: 'name', type: 'text' },
  { name: 'date', type: 'date' },
  { name: 'acquired_at', type: 'timestamp' },
  { name: 'dataset', type: 'text' },
  { name: 'scene_id', type: 'text' },
  { name: 'view_id', type: 'text' },
];

/** Numbers of an expression, by their names in a result. */
const STATISTICS = [
  ...['count', 'average', 'min', 'max', 'std', 'median', 'q1', 'q3', 'p10', 'p90'],
] as readonly ('count' | 'average' | 'min' | 'max' | 'std' | 'median' | 'q1' | 'q3' | 'p10' | 'p90')[];

const QUALITY_COLUMNS: readonly Column[] = [
  { name: 'cloud_percent', type: 'number' },
  { name: 'data_percent', type: 'number' },
  { name: 'notes', type: 'text' },
];

const numberColumn = (name: string): Column => ({ name, type: 'number' });

/** The table of an order. */
export function makeResultTable({ format, layout, expressions, joined = [] }: BulkOrder): ResultTable {
  const hasShapes = format === 'geoparquet' || format === 'geojson';
  // Joined columns follow the numbers of pixels, and the shape is last.
  const last: readonly Column[] = [
    ...joined.map(({ name }) => numberColumn(name)),
    ...(hasShapes ? [{ name: 'geometry', type: 'geometry' } as const] : []),
  ];
  const putLast = ({ geometry, joined: cells }: RowSource, put: PutCell): void => {
    for (const cell of cells) put(cell);
    if (hasShapes) put(geometry);
  };
  if (layout === 'long') {
    return {
      columns: [
        ...NAME_COLUMNS,
        { name: 'expression', type: 'text' },
        ...STATISTICS.map(numberColumn),
        ...QUALITY_COLUMNS,
        ...last,
      ],
      rowsOfSource: expressions.length,
      putRow(source, row, put) {
        putNames(source, put);
        put(expressions[row] as string);
        putStatistics(source, row, put);
        putQuality(source, row, put);
        putLast(source, put);
      },
    };
  }
  return {
    columns: [
      ...NAME_COLUMNS,
      ...expressions.flatMap((expression) => STATISTICS.map((name) => numberColumn(`${expression}_${name}`))),
      ...QUALITY_COLUMNS,
      ...last,
    ],
    rowsOfSource: 1,
    putRow(source, _, put) {
      putNames(source, put);
      for (let i = 0; i < expressions.length; i += 1) putStatistics(source, i, put);
      putQuality(source, 0, put);
      putLast(source, put);
    },
  };
}

function putNames({ names, scene }: RowSource, put: PutCell): void {
  put(names.id);
  put(names.externalId);
  put(names.name);
  put(scene.acquiredAt.slice(0, 10));
  put(scene.acquiredAt);
  put(scene.dataset);
  put(scene.sceneId);
  put(scene.viewId);
}

function putStatistics({ statistics }: RowSource, expression: number, put: PutCell): void {
  const summary = statistics.values[expression] ?? null;
  for (const name of STATISTICS) put(summary === null ? (name === 'count' ? 0 : null) : summary[name]);
}

function putQuality({ statistics, measured }: RowSource, expression: number, put: PutCell): void {
  const own = measured[expression] ?? null;
  // The pixels of an area count by their centres: they may be a few more than its size.
  const share = own === null || own.areaPx === 0 ? null : Math.min(1, own.validPx / own.areaPx);
  put(statistics.cloudPercent);
  put(share === null ? null : 100 * share);
  put(statistics.notes.length === 0 ? null : statistics.notes.join('; '));
}
