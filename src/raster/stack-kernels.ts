/**
 * Kernels over scenes of one picture; src/stack is their room. `scene` and `target` are addresses of tables as in
 * kernels/clear-pixels.ts: the address of a mask, then one of each channel.
 */
export interface StackKernels {
  firstFit(
    ...numbers: [
      scene: number,
      target: number,
      indexes: number,
      channelCount: number,
      count: number,
      index: number,
    ]
  ): number;
  keepBest(
    ...numbers: [
      scene: number,
      values: number,
      target: number,
      best: number,
      indexes: number,
      counts: number,
      channelCount: number,
      count: number,
      index: number,
      sign: number,
    ]
  ): void;
  addCount(scene: number, counts: number, channelCount: number, count: number): void;
  addSums(
    ...numbers: [scene: number, counts: number, sums: number, channelCount: number, count: number]
  ): void;
  addMoments(
    ...numbers: [
      scene: number,
      counts: number,
      means: number,
      squares: number,
      channelCount: number,
      count: number,
    ]
  ): void;
  finishMoments(...numbers: [sums: number, counts: number, to: number, count: number, isRoot: number]): void;
  maskCounted(counts: number, mask: number, count: number): void;
  countsToFloats(counts: number, to: number, count: number): void;
  stackPercentile(
    ...numbers: [
      scenes: number,
      sceneCount: number,
      target: number,
      counts: number,
      channelCount: number,
      count: number,
      part: number,
      work: number,
    ]
  ): void;
  stackMedoid(
    ...numbers: [
      scenes: number,
      sceneCount: number,
      target: number,
      indexes: number,
      counts: number,
      channelCount: number,
      count: number,
      work: number,
    ]
  ): void;
}
