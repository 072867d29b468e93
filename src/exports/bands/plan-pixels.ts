import type { GeoreferencedGrid } from '../../proj/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { cropGrid } from '../../render/index.ts';
import { requireAreaWindow } from '../area/export-area.ts';
import type { ExportArea } from '../export.ts';
import type { BandGroup } from './group-bands.ts';

/** The pixels of a group that an order wants, and where they lie. */
export interface GroupPixels extends BandGroup {
  readonly window: PixelWindow;
  /** Of the window. */
  readonly grid: GeoreferencedGrid;
}

/** Decides which pixels of a group lie in an area: all of them without one. */
export function planPixels(group: BandGroup, area: ExportArea | null): GroupPixels {
  const { width, height, epsg, proj, transform, lattice } = group.bands[0].asset;
  const grid = { width, height, epsg, transform, proj: proj ?? null, lattice: lattice ?? null };
  const window = area === null ? { x: 0, y: 0, width, height } : requireAreaWindow(grid, area);
  return { ...group, window, grid: cropGrid(grid, window) };
}
