import type { PartedCog } from '../../formats/cog/index.ts';
import type { ZipEntry } from '../../formats/zip.ts';
import type { Grid } from '../../geo/index.ts';
import { packImage } from '../bands/planned-image.ts';
import type { ExportRun } from '../export.ts';
import type { PackedTile } from './describe-mosaic.ts';
import { toStacItem, toVrt } from './describe-mosaic.ts';
import type { MosaicOrder } from './mosaic-order.ts';
import type { UsedScene } from './mosaic-scenes.ts';
import { toMetadata } from './mosaic-scenes.ts';
import type { MosaicTile } from './plan-mosaic-grid.ts';

/** One file of a mosaic that is cut into several. */
export interface TileFile extends MosaicTile {
  /** Blocks of the full resolution, which `onProgress` counts up to. */
  readonly blocks: number;
  readonly cog: PartedCog;
}

interface MosaicArchive {
  readonly order: MosaicOrder;
  /** What all files begin with. */
  readonly name: string;
  readonly grid: Grid;
  readonly tiles: readonly TileFile[];
  /** Writes one file. */
  write(tile: TileFile, path: string, run: ExportRun): Promise<void>;
  /** Whether a file may have a pixel; the others are left out. */
  isWanted(tile: TileFile): boolean;
  /** The scenes of all files, called when they are written. */
  listScenes(): readonly UsedScene[];
}

const toText = (text: string) => ({ bytes: Buffer.from(text), deflate: true });

/** The files of a mosaic, each made when the one before is packed; then what joins and describes them. */
export async function* packMosaic(
  { order, name, grid, tiles, write, isWanted, listScenes }: MosaicArchive,
  folder: string,
  run: ExportRun,
): AsyncGenerator<ZipEntry> {
  const packed: PackedTile[] = [];
  let done = 0;
  for (const tile of tiles) {
    const before = done;
    const own = { ...run, onProgress: (blocks: number) => run.onProgress(before + blocks) };
    if (isWanted(tile)) {
      const file = `${name}_${tile.column}_${tile.row}.tif`;
      const image = {
        extension: 'TIF',
        estimatedBytes: 0,
        blocks: tile.blocks,
        content: { kind: 'written', write: (path: string) => write(tile, path, own) },
      } as const;
      for await (const source of packImage(image, folder, own)) yield { name: file, source };
      packed.push({ ...tile, name: file });
    }
    done += tile.blocks;
    run.onProgress(done);
  }
  const [first] = tiles;
  if (first === undefined) return;
  const { plan } = first.cog;
  const vrtName = `${name}.vrt`;
  const scenes = listScenes();
  const metadata = toMetadata(order, scenes);
  yield { name: vrtName, source: toText(toVrt(grid, packed, { ...plan, metadata })) };
  const item = toStacItem({
    name,
    order,
    grid,
    bands: plan.bands,
    tiles: packed,
    vrtName,
    scenes,
  });
  yield { name: 'item.json', source: toText(`${JSON.stringify(item, null, 2)}\n`) };
}
