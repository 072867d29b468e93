export type { BandInputPlan, Quantity } from './band-input-plan.ts';
export { moveBits } from './move-bits.ts';
export { planBandInput } from './plan-band-input.ts';
export { fillTablePlane } from './table-plane.ts';
