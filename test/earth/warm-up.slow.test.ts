/** The start of a service whose scenes are all those of live catalogs. */
import { test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';
import { startFake, startLiveService, toEntry } from './live-service.ts';

test('a service without its own scenes warms up for those of its catalogs', async () => {
  await using fake = await startFake('earth-search');
  await using service = await startLiveService([toEntry('earth-search', fake)], {
    env: { SWATH_LOG: 'info' },
  });
  await waitFor(async () => service.swath.output().includes('warmed up'));
});
