import { inexact } from './random-tree.ts';

/** Makes a judge of results against golden ones, which are NumPy's of float64 wherever IEEE 754 leaves them open. */
export function makeFloatJudge(maxUlps: number) {
  const float = new Float32Array(1);
  const bits = new Int32Array(float.buffer);
  /** Floats as integers in their order, so that neighbours differ by one; both zeros are 0. */
  const order = (value: number): number => {
    float[0] = value;
    return bits[0]! < 0 ? -(bits[0]! & 0x7fffffff) : bits[0]!;
  };
  /** Whether a result of a function is as good as the golden one: the same bits where those are defined. */
  return function isAsGood(root: string, ours: number, golden: number): boolean {
    if (Object.is(ours, golden)) return true;
    if (!inexact.has(root) || Number.isNaN(ours) || Number.isNaN(golden)) return false;
    return Math.abs(order(ours) - order(golden)) <= maxUlps;
  };
}
