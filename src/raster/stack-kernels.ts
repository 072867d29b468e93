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
  keepClear(
    ...numbers: [scene: number, indexes: number, channelCount: number, count: number, index: number]
  ): number;
  countIndexes(indexes: number, count: number, table: number): number;
  wantPixels(
    ...numbers: [indexes: number, marks: number, index: number, count: number, wanted: number]
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
  addBlend(
    ...numbers: [
      scene: number,
      alphas: number,
      opaqueAt: number,
      sums: number,
      weights: number,
      greatest: number,
      indexes: number,
      channelCount: number,
      count: number,
      index: number,
    ]
  ): number;
  finishBlend(...numbers: [sums: number, weights: number, to: number, mask: number, count: number]): void;
  dilateMask(
    ...numbers: [
      mask: number,
      flag: number,
      width: number,
      height: number,
      reaches: number,
      radius: number,
      gaps: number,
    ]
  ): void;
  edgeDistance(
    ...numbers: [
      mask: number,
      width: number,
      height: number,
      to: number,
      most: number,
      beyond: number,
      isEdge: number,
      gaps: number,
      envelope: number,
    ]
  ): void;
}
