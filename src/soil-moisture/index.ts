export { ingestMoistureFiles, openMoistureCubes } from './ingest-moisture.ts';
export {
  MAX_MOISTURE_DAYS,
  makeSoilMoisture,
  type SoilMoisture,
  type SoilMoistureDay,
  type SoilMoistureRequest,
  type SoilMoistureSeries,
} from './soil-moisture.ts';
