import type { InputRule } from '../../bandmath/index.ts';
import type { BandFile } from '../../blocks/index.ts';
import type { LookupTable } from '../../catalog/index.ts';
import type { Size } from '../../geo/index.ts';
import type { WarpPlan } from '../../raster/index.ts';
import type { QualityBits } from '../../sensors/index.ts';

/** One input of the expressions: the file its pixels come from, and how stored numbers become values. Plain JSON. */
export interface InputPlan extends BandFile {
  readonly rule: InputRule;
  readonly parameters: readonly number[];
  /** Fills the rule's second plane, with the size of the image it counts in; null if the rule has none. */
  readonly table: { readonly values: LookupTable; readonly fullSize: Size } | null;
  /** The earlier scene the input belongs to; absent for inputs of the scene itself. */
  readonly of?: SceneRef;
  /** How stored quality bits are moved to the layout of the interface, before they are warped. */
  readonly bits?: QualityBits['moves'];
  /** What to read of the file and how to warp it; null if the file has no pixel on the grid. */
  readonly warp: WarpPlan | null;
  /** The scene has no data of this input anywhere. */
  readonly isAbsent?: true;
}

/** Identifies one state of a scene. */
export interface SceneRef {
  readonly viewId: string;
  readonly sceneVersion: string;
}

/** The record that names the files of a scene: the block cache distinguishes blocks by it. */
export const toRecord = ({ viewId, sceneVersion }: SceneRef) => ({ name: viewId, version: sceneVersion });
