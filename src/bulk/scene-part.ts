import type { Scene } from '../catalog/index.ts';
import type { LonLatBounds } from '../geo/index.ts';
import type { BulkOrder } from './bulk-order.ts';
import type { SceneNumbers } from './scene-numbers.ts';
import { NUMBERS } from './scene-numbers.ts';

/** What the result says of a scene. */
export interface PartScene
  extends Pick<Scene, 'viewId' | 'sceneId' | 'dataset' | 'acquiredAt' | 'cloudPercent'> {
  readonly lacksClasses: boolean;
  readonly lacksSun: boolean;
}

/** How a scene ended for the shapes of a chunk. */
export type PartEnd =
  | { readonly kind: 'measured' }
  /** No shape lies in it, or it has none of the bands. */
  | { readonly kind: 'empty' }
  /** It could not be read; where it lies tells which shapes lack it. */
  | { readonly kind: 'broken'; readonly message: string; readonly bounds: LonLatBounds };

/** What is at the front of a part. */
export interface PartHeader {
  readonly scene: PartScene;
  readonly end: PartEnd;
  readonly shapes: number;
  readonly expressions: number;
}

/** Bytes of the header: JSON with spaces behind it, so that numbers begin at a fixed place. */
export const PART_HEADER_BYTES = 4_096;

/** Bytes of a shape in a part. */
export const recordBytes = ({ expressions }: Pick<PartHeader, 'expressions'>): number =>
  8 * NUMBERS.length * expressions;

/** Bytes that the work on an order stores while it is open, by the number of shapes and of scenes of each. */
export const estimateParts = (
  { expressions, joined = [] }: Pick<BulkOrder, 'expressions' | 'joined'>,
  { shapes, scenes }: { readonly shapes: number; readonly scenes: number },
): number => shapes * scenes * (recordBytes({ expressions: expressions.length }) + 8 * joined.length);

/** The longest message of a scene that could not be read. */
const MAX_MESSAGE = 300;

/** A part as it is stored: the numbers of a chunk's shapes in one scene. */
export function writePart(scene: PartScene, end: PartEnd, numbers: SceneNumbers): Uint8Array {
  const cut = end.kind === 'broken' ? { ...end, message: end.message.slice(0, MAX_MESSAGE) } : end;
  const header: PartHeader = { scene, end: cut, shapes: numbers.shapes, expressions: numbers.expressions };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const values = cut.kind === 'measured' ? numbers.values : new Float64Array(0);
  const bytes = new Uint8Array(PART_HEADER_BYTES + values.byteLength).fill(0x20, 0, PART_HEADER_BYTES);
  bytes.set(text);
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), PART_HEADER_BYTES);
  return bytes;
}

/** Reads the header of a part. */
export const readPartHeader = (bytes: Uint8Array): PartHeader =>
  JSON.parse(new TextDecoder().decode(bytes.subarray(0, PART_HEADER_BYTES))) as PartHeader;
