export { askTruth, type TruthAnswer, type TruthQuestion } from './demo/ask-truth.ts';
export { buildDemo } from './demo/build-demo.ts';
export { type DemoPart, isScene } from './demo/demo-part.ts';
export { type FieldFeature, listFields } from './demo/list-fields.ts';
export type { DemoSize } from './demo/plan-set.ts';
export { makeWorldJobs, type WorldJobs, type WorldPartJob } from './demo/world-jobs.ts';
