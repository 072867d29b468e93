import type { SceneStore } from '../catalog/index.ts';
import { chooseLevel } from '../catalog/index.ts';
import { internal } from '../errors.ts';
import { sensorByAbbreviation } from '../sensors/index.ts';
import type { BandsOrder } from './bands/bands-order.ts';
import type { ExportArea, PlanExport, PlannedExport } from './export.ts';
import type { IndexOrder } from './index-files/index-order.ts';
import type { PictureOrder } from './pictures/picture-order.ts';

/** The kinds of files that can be ordered of a scene, and what each order says. */
export interface DownloadOrders {
  readonly bands: BandsOrder;
  readonly index: IndexOrder;
  readonly picture: PictureOrder;
}

/** A kind of file. */
export type DownloadKind = keyof DownloadOrders;

/** An order of any kind. */
type Order = DownloadOrders[DownloadKind];

/** Plans the files of all kinds, and turns orders into plain JSON and back. */
export interface Downloads {
  plan(kind: DownloadKind, order: Order): Promise<PlannedExport>;
  toStored(order: Order): StoredOrder;
  fromStored(stored: StoredOrder): Order;
}

/** An order as plain JSON: an outline, which may be large, apart from the rest. */
export interface StoredOrder {
  readonly order: unknown;
  /** The numbers of the outline; null for an order without one, or one that was stored with it inside. */
  readonly area: unknown;
}

/** Builds the planning of all kinds. */
export const makeDownloads = (
  planners: {
    readonly [Kind in DownloadKind]: PlanExport<DownloadOrders[Kind]>;
  },
  scenes: Pick<SceneStore, 'findByViewId'>,
): Downloads => ({
  plan: async (kind, order) => (planners[kind] as PlanExport<Order>)(await toKnownLevel(order, scenes)),
  toStored: ({ area, ...rest }) =>
    area?.kind === 'outline'
      ? { order: { ...rest, area: STORED_APART }, area: [...area.outline] }
      : { order: { ...rest, area }, area: null },
  fromStored: ({ order, area: outline }) => {
    const { area, ...rest } = order as Omit<Order, 'area'> & { readonly area: StoredArea | null };
    return { ...rest, area: fromStoredArea(area, outline as readonly number[] | null) } as Order;
  },
});

/** The order of the scene that answers for the one that is named; it is chosen anew each time, so Level-1C wins once it is there. */
async function toKnownLevel(order: Order, scenes: Pick<SceneStore, 'findByViewId'>): Promise<Order> {
  const sensor = sensorByAbbreviation(order.sensor);
  if (sensor === null) return order;
  const { viewId, sceneName } = order;
  const chosen = await chooseLevel(scenes, { viewId, sceneName, sensor });
  return { ...order, viewId: chosen.viewId, sensor: chosen.sensor.abbreviation };
}

/** The area of an order whose outline is stored apart: a program that does not know it cannot take it for the whole scene. */
const STORED_APART = { kind: 'stored apart' } as const;

/** An outline is a typed array, for which JSON has no form. Orders from before outlines were stored apart have it inside. */
type StoredArea =
  | Extract<ExportArea, { kind: 'bounds' }>
  | typeof STORED_APART
  | { readonly kind: 'outline'; readonly outline: readonly number[] };

function fromStoredArea(area: StoredArea | null, outline: readonly number[] | null): ExportArea | null {
  if (area === null || area.kind === 'bounds') return area;
  const numbers = area.kind === 'outline' ? area.outline : outline;
  if (numbers === null) throw internal('area-lost', 'The area of the order was stored and cannot be found.');
  return { kind: 'outline', outline: Float64Array.from(numbers) };
}
