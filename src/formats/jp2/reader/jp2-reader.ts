import type { Affine, Size } from '../../../geo/index.ts';
import type { PixelType } from '../../../raster/index.ts';
import type { ByteSource } from '../../../sources/index.ts';
import { readGeoreference } from '../georeference/georeference.ts';
import { readFileParts } from '../headers/boxes.ts';
import { damaged, makeByteWindow } from '../headers/byte-window.ts';
import type { ImageSize } from '../headers/image-size.ts';
import type { MainHeader } from '../headers/main-header.ts';
import { readMainHeader } from '../headers/main-header.ts';
import { toLevels } from '../headers/tile-grid.ts';
import type { TilePartIndex } from '../headers/tile-parts.ts';
import { readTileParts } from '../headers/tile-parts.ts';

/** An opened JPEG 2000 file; apart from its source it is plain data. */
export interface Jp2 extends ImageSize {
  readonly source: ByteSource;
  readonly type: PixelType;
  /** Number of levels, full resolution included. */
  readonly resolutions: number;
  /** Sizes of the levels, full resolution first. */
  readonly levels: readonly Size[];
  /** Null when the file names no EPSG code. */
  readonly epsg: number | null;
  /** Of the full resolution; null when the file has none that can be used. */
  readonly transform: Affine | null;
  readonly header: MainHeader;
  readonly tileParts: TilePartIndex;
}

/** Reads boxes, main header and the offsets of all tile-parts; of the pixels' data it reads nothing. */
export async function openJp2(source: ByteSource, signal?: AbortSignal): Promise<Jp2> {
  const window = makeByteWindow(source, signal);
  const { codestream, stated, geoTiff, gml } = await readFileParts(window);
  const header = await readMainHeader(window, codestream);
  const { size, style } = header;
  const isAsStated =
    stated === null ||
    (stated.width === size.width && stated.height === size.height && stated.bandCount === size.bandCount);
  if (!isAsStated) throw damaged('its two headers disagree about the size of the image');
  return {
    ...size,
    source,
    type: size.bitsPerSample <= 8 ? 'uint8' : size.isSigned ? 'int16' : 'uint16',
    resolutions: style.decompositions + 1,
    levels: toLevels(size, style.decompositions),
    ...(await readGeoreference(geoTiff, gml)),
    header,
    tileParts: await readTileParts(window, header, codestream.end),
  };
}
