export type { Store } from './store.ts';
export { surviveOutages } from './survive-outages.ts';
