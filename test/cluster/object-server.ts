/**
 * An S3 server in a process of its own: `object-server.ts <port>`. It prints a line when it listens; messages of its parent take it away and bring it back with what it stores.
 */
import { startFakeS3 } from '../../src/sources/testing/fake-s3.ts';

const [port = '0'] = process.argv.slice(2);
const bucket = await startFakeS3(Number(port));

/** What a parent says. */
export interface ToObjectServer {
  readonly isAway: boolean;
}

process.on('message', ({ isAway }: ToObjectServer) => {
  bucket.fault = () => (isAway ? { cut: 'before' } : null);
  process.send?.({ isAway });
});
process.on('disconnect', () => process.exit());
console.log(JSON.stringify(bucket.network));
