import type { FieldFeature, TruthAnswer, TruthQuestion } from '../../world/index.ts';

export type { DemoSize } from '../../world/index.ts';
export { findUnfinishedDemo, makeHasDemo, removeDemo } from './demo-data.ts';
export { makeDemoWeather } from './demo-weather.ts';
export { type MakeDemoDeps, makeDemo } from './make-demo.ts';

/** What is true at a location of the demo world on a day, as a sensor sees it. */
export async function askDemoTruth(question: TruthQuestion): Promise<TruthAnswer> {
  const { askTruth } = await import('../../world/index.ts');
  return askTruth(question);
}

/** Fields of the demo world as GeoJSON, those that its series of scenes shows first. */
export async function listDemoFields(limit: number): Promise<readonly FieldFeature[]> {
  const { listFields } = await import('../../world/index.ts');
  return listFields(limit);
}
