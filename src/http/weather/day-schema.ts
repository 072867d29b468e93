import { z } from 'zod';

const value = z.number().nullable();

/** The fields that every day has, for the documentation. */
export const daySchema = z.object({
  date: z.string(),
  temperature_min: z.number().describe('°C.'),
  temperature_max: z.number().describe('°C.'),
  vapour_pressure: value.describe('hPa.'),
  wind_speed: value.describe('m/s at 2 m.'),
  rainfall: value.describe('mm.'),
  show_depth: value.describe('Depth of snow, cm.'),
  hardening_index: value.describe('0 to 2, after CERES-Wheat.'),
  temp_critical: value.describe('Temperature that winter wheat survives, °C.'),
});
