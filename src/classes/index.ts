export {
  type ClassesMade,
  type ClassesOrder,
  type ClassMeasurer,
  type ClassSource,
  makeClassMeasurer,
} from './classes.ts';
export { type ClassPreset, classPresets, findClassPreset } from './presets.ts';
export { type ClassJobs, classJobs } from './write-classes.ts';
