export type { ZoneMethod } from './classify.ts';
export { type Prescription, RATE_UNITS, type RateUnit, refuseOtherCount } from './prescription.ts';
export { MAX_TOLERANCE_PX } from './simplify-patches.ts';
export { type ZoneJobs, zoneJobs } from './zone-jobs.ts';
export { MAX_ZONE_SCENES, makeZoneMaker, type ZoneMaker, type ZonesOrder } from './zones.ts';
