import type { Kernels } from '../kernels.ts';

/** Planes copied into the kernels' memory, and a way to read them again. */
export function putPlanes(kernels: Kernels, planes: readonly Float32Array[], mask: Uint8Array) {
  const allocate = kernels.begin();
  const at = planes.map(({ byteLength }) => allocate(byteLength));
  const maskAt = allocate(mask.length);
  for (const [i, plane] of planes.entries())
    new Float32Array(kernels.buffer(), at[i]!, plane.length).set(plane);
  new Uint8Array(kernels.buffer(), maskAt, mask.length).set(mask);
  return {
    allocate,
    at,
    maskAt,
    count: mask.length,
    plane: (i: number) => new Float32Array(kernels.buffer(), at[i]!, mask.length).slice(),
    mask: () => new Uint8Array(kernels.buffer(), maskAt, mask.length).slice(),
  };
}
