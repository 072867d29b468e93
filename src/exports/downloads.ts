import type { SceneStore } from '../catalog/index.ts';
import { chooseLevel } from '../catalog/index.ts';
import type { AreaGeometry } from '../geo/index.ts';
import { toOutline } from '../geo/index.ts';
import { sensorByAbbreviation } from '../sensors/index.ts';
import type { BandsOrder } from './bands/plan-bands-file.ts';
import { internal } from './errors.ts';
import type { ExportArea, PlanExport, PlannedExport } from './export.ts';
import type { IndexOrder } from './index-files/plan-index-file.ts';
import type { MosaicOrder } from './mosaics/mosaic-order.ts';
import type { PictureOrder } from './pictures/plan-picture-file.ts';

/** The kinds of files that can be ordered of a scene, and what each order says. */
interface SceneOrders {
  readonly bands: BandsOrder;
  readonly index: IndexOrder;
  readonly picture: PictureOrder;
}

/** The same of a scene or a mosaic. */
export type DownloadOrders = { readonly [Kind in keyof SceneOrders]: SceneOrders[Kind] | MosaicOrder };

/** A kind of file. */
export type DownloadKind = keyof DownloadOrders;

/** An order of a scene, of any kind. */
type SceneOrder = SceneOrders[DownloadKind];

/** An order of any kind. */
type Order = SceneOrder | MosaicOrder;

/** Whether an order is of many scenes. */
export const isMosaicOrder = (order: object): order is MosaicOrder => 'mosaic' in order;

/** Plans the files of all kinds, and turns orders into plain JSON and back. */
export interface Downloads {
  plan(kind: DownloadKind, order: Order): Promise<PlannedExport>;
  /** An order as plain JSON, and apart from it the area as text: it may be large. Null for an order without an outline. */
  toStored(order: Order): { readonly order: unknown; readonly area: string | null };
  /** The order of what was stored; its area is parsed. */
  fromStored(stored: { readonly order: unknown; readonly area: unknown }): Order;
}

/** Builds the planning of all kinds. */
export const makeDownloads = (
  planners: { readonly [Kind in DownloadKind]: PlanExport<SceneOrders[Kind]> } & {
    readonly mosaic: PlanExport<MosaicOrder>;
  },
  scenes: Pick<SceneStore, 'findByViewId'>,
): Downloads => ({
  plan: async (kind, order) =>
    isMosaicOrder(order)
      ? planners.mosaic(order)
      : (planners[kind] as PlanExport<SceneOrder>)(await toKnownLevel(order, scenes)),
  toStored: ({ area, ...rest }) =>
    area?.kind === 'outline'
      ? { order: { ...rest, area: STORED_APART }, area: area.json ?? JSON.stringify([...area.outline]) }
      : { order: { ...rest, area }, area: null },
  fromStored: ({ order, area: apart }) => {
    const { area, ...rest } = order as Omit<Order, 'area'> & { readonly area: StoredArea | null };
    return { ...rest, area: fromStoredArea(area, apart as AreaApart | null) } as Order;
  },
});

/** The order of the scene that answers for the one that is named; it is chosen anew each time, so Level-1C wins once it is there. */
async function toKnownLevel(
  order: SceneOrder,
  scenes: Pick<SceneStore, 'findByViewId'>,
): Promise<SceneOrder> {
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

/** A geometry, or the numbers of an outline. */
type AreaApart = AreaGeometry | readonly number[];

function fromStoredArea(area: StoredArea | null, apart: AreaApart | null): ExportArea | null {
  if (area === null || area.kind === 'bounds') return area;
  const known = area.kind === 'outline' ? area.outline : apart;
  if (known === null) throw internal('area-lost', 'The area of the order was stored and cannot be found.');
  return { kind: 'outline', outline: 'type' in known ? toOutline(known) : Float64Array.from(known) };
}
