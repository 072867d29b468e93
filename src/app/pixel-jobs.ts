import type { AreaJobs } from '../areas/index.ts';
import type { DecodeJobs } from '../blocks/index.ts';
import type { ExportJobs } from '../exports/index.ts';
import type { RenderJobs } from '../render/index.ts';
import type { TerrainJobs } from '../terrain/index.ts';
import type { StatisticsJobs } from '../zonal/index.ts';

/** Every kind of job that a pixel thread does: the compiler checks what is asked and what is answered by this table. */
export type PixelJobs = AreaJobs & DecodeJobs & ExportJobs & RenderJobs & StatisticsJobs & TerrainJobs;
