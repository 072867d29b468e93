// The exports of kernels/dist/swath.wasm. A resampling method is one file here and one line in src/raster/plan-warp.ts.
// The kernels own only small tables: the caller allocates all other memory from heapBase() upward.
export { average, largest as max, med, mode, q1, q3, smallest as min } from "./area";
export * from "./bandmath";
export { keepBest } from "./best-pixels";
export { bilinear } from "./bilinear";
export { addBlend, finishBlend } from "./blend-pixels";
export { cubic, cubicspline, lanczos } from "./convolve";
export { paintCurves } from "./paint-curves";
export { codeJp2Blocks, listJp2Block } from "./jp2-block";
export { collectValues } from "./collect-values";
export { copyWords } from "./copy-words";
export { countIndexes } from "./count-indexes";
export { jpegRows, jpegStart } from "./jpeg";
export { expand, maskEmpty } from "./expand";
export { adler32 } from "./adler";
export { dilateMask } from "./dilate-mask";
export { filterSpeckle } from "./filter-speckle";
export { edgeDistance } from "./edge-distance";
export { summarizeFew } from "./few-values";
export { encodeTerrainRgb, encodeTerrarium } from "./encode-heights";
export { fillEmpty } from "./fill-empty";
export { fillVoids } from "./fill-voids";
export { firstFit, keepClear } from "./first-fit";
export { flagClasses } from "./flag-classes";
export { predictFloats, unpredictFloats } from "./floating-predictor";
export { halveFloats, halveIntegers } from "./halve";
export { dropImpossible } from "./impossible-heights";
export { inflate } from "./inflate";
export { lzw } from "./lzw";
export { measureRuns } from "./measure-runs";
export { collectShares, measureShares } from "./measure-shares";
export { medianOf25 } from "./median-of-25";
export { medianOf9 } from "./median-of-9";
export { gatherFlags, near, nearFlags, nearPlaces } from "./near";
export { nearWordPlanes } from "./near-word-planes";
export { nearWords } from "./near-words";
export { padHeights, repeatEdges, unpadHeights } from "./padded-plane";
export { paintBits } from "./paint-bits";
export { markUsed, paintHoles, paintIndexes } from "./paint-indexes";
export { paintSteps } from "./paint-steps";
export { sharpenBand, sharpenComposite, sharpenIndex } from "./pansharpen";
export {
  addCount, addMoments, addSums, countsToFloats, finishMoments, maskCounted,
} from "./pixel-moments";
export { png, pngStrip } from "./png";
export { predict, unpredict } from "./predictor";
export { aspectRelief, shadeRelief, slopeRelief } from "./relief";
export { repeatFlags } from "./repeat-flags";
export { selectValues } from "./select-values";
export { shareIntegers } from "./share";
export { smoothSteps } from "./smooth-steps";
export { removeSpikes } from "./spikes";
export { stackMedoid } from "./stack-medoid";
export { stackPercentile } from "./stack-percentile";
export { stretch } from "./stretch";
export { sumValues } from "./sum-values";
export { wantPixels } from "./want-pixels";
export { summarizeWeighted } from "./weighted-values";
export { centerSamples, halveWavelet, separateColors } from "./wavelet";
export { zlib } from "./zlib";

/** First byte after the module's own data. */
export function heapBase(): usize {
  return __heap_base;
}
