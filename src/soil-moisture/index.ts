export { makeMoistureRule } from './moisture-rule.ts';
export {
  makeSoilMoisture,
  type SoilMoisture,
  type SoilMoistureDay,
  type SoilMoistureRequest,
  type SoilMoistureSeries,
} from './soil-moisture.ts';
