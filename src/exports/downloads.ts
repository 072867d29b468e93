import type { SceneStore } from '../catalog/index.ts';
import { chooseLevel } from '../catalog/index.ts';
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
  toStored(order: Order): unknown;
  fromStored(stored: unknown): Order;
}

/** Builds the planning of all kinds. */
export const makeDownloads = (
  planners: {
    readonly [Kind in DownloadKind]: PlanExport<DownloadOrders[Kind]>;
  },
  scenes: Pick<SceneStore, 'findByViewId'>,
): Downloads => ({
  plan: async (kind, order) => (planners[kind] as PlanExport<Order>)(await toKnownLevel(order, scenes)),
  toStored: (order) => ({ ...order, area: toStoredArea(order.area) }),
  fromStored: (stored) => {
    const order = stored as Omit<Order, 'area'> & { readonly area: StoredArea | null };
    return { ...order, area: fromStoredArea(order.area) } as Order;
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

/** An outline is a typed array, for which JSON has no form. */
type StoredArea =
  | Extract<ExportArea, { kind: 'bounds' }>
  | { readonly kind: 'outline'; readonly outline: readonly number[] };

const toStoredArea = (area: ExportArea | null): StoredArea | null =>
  area?.kind === 'outline' ? { kind: 'outline', outline: [...area.outline] } : area;

const fromStoredArea = (area: StoredArea | null): ExportArea | null =>
  area?.kind === 'outline' ? { kind: 'outline', outline: Float64Array.from(area.outline) } : area;
