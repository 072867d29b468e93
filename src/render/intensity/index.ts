export {
  type BoundsArea,
  type FindIntensity,
  type IntensityAnswer,
  type IntensityRequest,
  type IntensityStore,
  makeFindIntensity,
} from './find-intensity.ts';
export { makeMeasureIntensity } from './measure-intensity.ts';
