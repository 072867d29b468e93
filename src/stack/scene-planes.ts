import type { Allocate, Kernels } from '../raster/index.ts';
import { internal } from './errors.ts';

/**
 * A scene on the pixels of the picture, in the kernels' memory. It is clear in a pixel where its mask is 1 and all of its
 * channels are numbers; infinities are numbers.
 */
export interface ScenePlanes {
  /** Planes of float32, one to four. */
  readonly channelsAt: readonly number[];
  /** A byte per pixel, 1 where the scene has clear data; 0 instead of an address when it has everywhere. */
  readonly maskAt: number;
}

/** Planes of u16 that tell which scene a pixel comes from. */
export interface WithIndexes {
  /** The index of the scene in each pixel; `NO_SCENE` where no scene is clear. */
  readonly indexesAt: number;
}

/** Planes of u16 that tell how many scenes were clear. */
export interface WithCounts {
  readonly countsAt: number;
}

/** Size of a picture that is made of scenes. */
export interface StackSize {
  /** Pixels of every plane. */
  readonly count: number;
  /** Channels of every scene. */
  readonly channelCount: number;
}

/** The index of pixels without a scene. */
export const NO_SCENE = 0xff_ff;

/** As many channels as a picture has. */
const MAX_CHANNELS = 4;

/** Refuses numbers of channels that the kernels do not know. */
function checkChannels(channelCount: number): void {
  if (channelCount < 1 || channelCount > MAX_CHANNELS)
    throw internal('stack-channels', `A scene has 1 to ${MAX_CHANNELS} channels, not ${channelCount}.`);
}

/** Refuses indexes that 16 bits cannot hold. */
export function checkIndex(index: number): void {
  if (!Number.isInteger(index) || index < 0 || index >= NO_SCENE)
    throw internal(
      'stack-index',
      `The index of a scene lies between 0 and ${NO_SCENE - 1}: ${index} does not.`,
    );
}

/** Memory for the planes of one scene, which it may be read into so that no one copies it. */
export interface SceneRoom {
  /** Begins with an empty room. */
  begin(): Allocate;
  /** Whether all planes of a scene lie in the room. */
  holds(scene: ScenePlanes): boolean;
  /** Planes in the room, with whatever lies there. */
  planes(): ScenePlanes;
}

/** Kernels read past the end of a plane, as far as `Allocate` leaves room. */
const SLACK_BYTES = 64;

const align = (byteLength: number): number => 16 * Math.ceil(byteLength / 16);

/** Allocates a room. In the worst case each channel has a mask of its own. */
export function makeRoom(allocate: Allocate, { count, channelCount }: StackSize): SceneRoom {
  checkChannels(channelCount);
  const byteLength = channelCount * (align(4 * count) + align(count) + 2 * SLACK_BYTES);
  const at = allocate(byteLength);
  const end = at + byteLength;
  const begin = (): Allocate => {
    let next = at;
    return (bytes) => {
      const address = next;
      next = align(next + bytes + SLACK_BYTES);
      if (next > end) throw internal('stack-room', 'The planes of a scene do not fit into their room.');
      return address;
    };
  };
  return {
    begin,
    holds: ({ channelsAt, maskAt }) => [...channelsAt, maskAt].every((plane) => plane >= at && plane < end),
    planes() {
      const own = begin();
      return { channelsAt: Array.from({ length: channelCount }, () => own(4 * count)), maskAt: own(count) };
    },
  };
}

/** Allocates planes without a pixel in them. */
export function allocateEmpty(
  kernels: Kernels,
  allocate: Allocate,
  { count, channelCount }: StackSize,
): ScenePlanes {
  checkChannels(channelCount);
  const channelsAt = Array.from({ length: channelCount }, () => allocateFilled(kernels, allocate, 4 * count));
  return { channelsAt, maskAt: allocateFilled(kernels, allocate, count) };
}

/** Allocates bytes that all have one value. */
export function allocateFilled(kernels: Kernels, allocate: Allocate, byteLength: number, value = 0): number {
  const at = allocate(byteLength);
  new Uint8Array(kernels.buffer(), at, byteLength).fill(value);
  return at;
}

/** Kernels go over sixteen pixels at a time: planes of doubles need more room after them than others have. */
export const wholeBlocks = (count: number): number => 16 * Math.ceil(count / 16);

/** Allocates planes of doubles, one for each channel, and the table of their addresses. */
export function allocateSums(kernels: Kernels, allocate: Allocate, { count, channelCount }: StackSize) {
  const planesAt = Array.from({ length: channelCount }, () =>
    allocateFilled(kernels, allocate, 8 * wholeBlocks(count)),
  );
  const tableAt = allocate(4 * channelCount);
  new Uint32Array(kernels.buffer(), tableAt, channelCount).set(planesAt);
  return { planesAt, tableAt };
}

/** Allocates a plane of indexes, all of them `NO_SCENE`. */
export const allocateIndexes = (kernels: Kernels, allocate: Allocate, count: number): number =>
  allocateFilled(kernels, allocate, 2 * count, NO_SCENE & 0xff);

/** Bytes of the kernels' table of a scene. */
const tableBytes = (channelCount: number): number => 4 * (1 + channelCount);

/** The kernels' tables of scenes, one after the other. */
export function allocateTables(
  kernels: Kernels,
  allocate: Allocate,
  scenes: readonly ScenePlanes[],
  channelCount: number,
): number {
  const at = allocate(tableBytes(channelCount) * scenes.length);
  for (const [i, scene] of scenes.entries())
    writeTable(kernels, at + i * tableBytes(channelCount), scene, channelCount);
  return at;
}

/** A table that is written for each scene anew. */
export function makeTable(
  kernels: Kernels,
  allocate: Allocate,
  channelCount: number,
): (scene: ScenePlanes) => number {
  const at = allocate(tableBytes(channelCount));
  return (scene) => {
    writeTable(kernels, at, scene, channelCount);
    return at;
  };
}

function writeTable(kernels: Kernels, at: number, { maskAt, channelsAt }: ScenePlanes, channelCount: number) {
  if (channelsAt.length !== channelCount)
    throw internal(
      'stack-channels',
      `A scene with ${channelsAt.length} channels cannot join those that have ${channelCount}.`,
    );
  new Uint32Array(kernels.buffer(), at, 1 + channelCount).set([maskAt, ...channelsAt]);
}
