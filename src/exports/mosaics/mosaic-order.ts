import { hash } from 'node:crypto';
import type { AreaOutline } from '../../geo/index.ts';
import type { Mosaic, MosaicPictureRequest } from '../../mosaic/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import type { ExportArea } from '../export.ts';
import type { PictureFile, PictureOptions } from '../pictures/picture-form.ts';

/**
 * A file of a mosaic. Plain JSON, except that an outline is an array of numbers: a search and not scenes, which are found
 * when the file is made.
 */
export interface MosaicOrder {
  /** Which scenes, and how they are put together. */
  readonly mosaic: Pick<Mosaic, 'search' | 'composition'>;
  /** Bands, aliases or band math. */
  readonly bands: string;
  /** What the file is called instead of the bands. */
  readonly nameAlias: string | null;
  /** A mosaic has no extent of its own. */
  readonly area: ExportArea;
  /** Metres of a pixel on the ground; null for those of the finest band. */
  readonly pixelM: number | null;
  /** The reference system; null for the UTM zone of the area's middle. */
  readonly epsg: number | null;
  readonly content: MosaicContent;
}

/** What a file of a mosaic holds. */
export type MosaicContent =
  /** Numbers: of bands as they are stored, of band math, or physical ones. */
  | { readonly kind: 'values'; readonly areBands: boolean; readonly calibrated: boolean }
  /** A picture in 8 bits a channel. */
  | { readonly kind: 'picture'; readonly options: PictureOptions; readonly file: PictureFile };

/** The outline that a file is cropped to; null for a rectangle. */
export const outlineOf = ({ area }: Pick<MosaicOrder, 'area'>): AreaOutline | null =>
  area.kind === 'outline' ? area.outline : null;

/** What every block of a file asks the mosaic for, except for its grid. */
export function toBlockRequest(
  order: Pick<MosaicOrder, 'mosaic' | 'bands' | 'area' | 'content'>,
): Omit<MosaicPictureRequest, 'grid'> {
  const { mosaic, bands, content } = order;
  const outline = outlineOf(order);
  const area = outline === null ? null : { ref: hash('sha256', outline, 'hex'), outline };
  const common = { format: 'png', area, watermark: null } as const;
  if (content.kind === 'picture') return { ...mosaic, bands, options: { ...content.options, ...common } };
  const options = {
    ...common,
    method: null,
    // Values are not drawn: a contrast that is given need not be measured.
    range: { min: 0, max: 1 },
    calibrated: content.calibrated,
    isComposite: false,
    areValues: true,
    color: {},
  };
  return { ...mosaic, bands, options };
}

/** What stands for the scene in names of files: sensors, days and the selection. */
export function toMosaicName({ search, composition }: MosaicOrder['mosaic']): string {
  const { datasets, period } = search;
  const names = datasets.map((id) => sensorByDataset(id)?.abbreviation ?? id).join('-');
  const days = period.from === period.to ? period.from : `${period.from}_${period.to}`;
  return `${names}_${days}_${composition.selection.kind}`;
}
