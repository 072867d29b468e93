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
): Downloads => ({
  plan: (kind, order) => (planners[kind] as PlanExport<Order>)(order),
  toStored: (order) => ({ ...order, area: toStoredArea(order.area) }),
  fromStored: (stored) => {
    const order = stored as Omit<Order, 'area'> & { readonly area: StoredArea | null };
    return { ...order, area: fromStoredArea(order.area) } as Order;
  },
});

/** An outline is a typed array, for which JSON has no form. */
type StoredArea =
  | Extract<ExportArea, { kind: 'bounds' }>
  | { readonly kind: 'outline'; readonly outline: readonly number[] };

const toStoredArea = (area: ExportArea | null): StoredArea | null =>
  area?.kind === 'outline' ? { kind: 'outline', outline: [...area.outline] } : area;

const fromStoredArea = (area: StoredArea | null): ExportArea | null =>
  area?.kind === 'outline' ? { kind: 'outline', outline: Float64Array.from(area.outline) } : area;
