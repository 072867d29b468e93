export { makeFindDetails } from './find-details.ts';
export { type DetailJobs, makeMeasureDetail } from './measure-detail.ts';
export { planSampleSharpen, toSharpenKey } from './plan-sample-sharpen.ts';
export { planSharpen, planSharpStretches } from './plan-sharpen.ts';
export { sharpenBytes } from './sharpen-bytes.ts';
export { sharpenChannels } from './sharpen-channels.ts';
export type { SharpenPlan } from './sharpen-plan.ts';
