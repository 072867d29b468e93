import { test } from 'node:test';
import { waitFor } from '../testing/wait-for.ts';
import { warmUpHttp } from './http-source.ts';

test('the warm-up reads from its own server and closes it', async () => {
  await warmUpHttp();
  await waitFor(() => !process.getActiveResourcesInfo().includes('TCPServerWrap'));
});
