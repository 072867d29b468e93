export type { GroundBase } from './base/ground-base.ts';
export { makeGroundBase } from './base/ground-base.ts';
export { makeGround } from './make-ground.ts';
