import type { Order } from './orders.ts';
import { ALL_BANDS, ALL_CROPPED, NDVI, PICTURE } from './orders.ts';
import { demand, printRow } from './report.ts';
import { startService } from './service.ts';

const LIMIT_MB = 512;

/** The files that take most memory. */
const ORDERS: Readonly<Record<string, Order>> = {
  'NDVI of a whole scene': NDVI,
  '13 bands, whole, in an archive': ALL_BANDS,
  '13 bands, cropped, merged by resolution': ALL_CROPPED,
  'JPEG of a whole scene': PICTURE,
};

/**
 * The most memory that files take above that of an idle service, each in a service of its own. The cache of blocks, which
 * an idle service fills sooner or later, is small here, so that it does not count.
 */
export async function measureMemory(scene: string): Promise<void> {
  for (const [name, order] of Object.entries(ORDERS)) {
    await using service = await startService({ scene, env: { SWATH_CACHE_MB: '16' } });
    const idleMb = service.rssMb();
    service.peakRssMb();
    await service.make(order);
    const mb = service.peakRssMb() - idleMb;
    printRow(`${name}: memory above idle`, `${mb.toFixed(0)} MiB`);
    demand(`at most ${LIMIT_MB} MiB`, mb <= LIMIT_MB);
  }
}
