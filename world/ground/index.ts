export { type GroundBase, makeGroundBase } from './base/ground-base.ts';
export { makeGround } from './make-ground.ts';
