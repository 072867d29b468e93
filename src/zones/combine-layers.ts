/** Several scenes of a field become one plane that zones are made of. */

/** Values of a scene on the pixels of the field; NaN outside of it, under clouds and without data. */
export type Layer = Float32Array;

/** The layers as one. */
export interface CombinedLayers {
  /** The mean of the standardised values of each pixel: comparable across dates and sensors. NaN where no layer has any. */
  readonly scores: Float32Array;
  /** The mean of the values themselves. */
  readonly values: Float32Array;
}

/**
 * Standardises each layer by its own mean and deviation over the field, and averages what each pixel has. A bright date does
 * not weigh more than a dark one, and a cloud over a corner on one date does not shift the zones there.
 */
export function combineLayers(layers: readonly Layer[]): CombinedLayers {
  const size = layers[0]?.length ?? 0;
  const scores = new Float64Array(size);
  const values = new Float64Array(size);
  const counts = new Uint16Array(size);
  for (const layer of layers) {
    const { mean, std } = momentsOf(layer);
    for (let i = 0; i < size; i++) {
      const value = layer[i]!;
      if (Number.isNaN(value)) continue;
      scores[i]! += std === 0 ? 0 : (value - mean) / std;
      values[i]! += value;
      counts[i]! += 1;
    }
  }
  const average = (sums: Float64Array): Float32Array =>
    Float32Array.from(sums, (sum, i) => (counts[i] === 0 ? Number.NaN : sum / counts[i]!));
  return { scores: average(scores), values: average(values) };
}

/** Mean and deviation of the population, in two passes. */
function momentsOf(layer: Layer): { readonly mean: number; readonly std: number } {
  let [sum, count] = [0, 0];
  for (const value of layer) {
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  const mean = count === 0 ? 0 : sum / count;
  let squares = 0;
  for (const value of layer) if (!Number.isNaN(value)) squares += (value - mean) ** 2;
  return { mean, std: count === 0 ? 0 : Math.sqrt(squares / count) };
}
