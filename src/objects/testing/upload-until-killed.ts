/** Run as a process of its own: uploads a file of zeros to a bucket. Takes the options of the store and its bytes. */
import { writeFile } from 'node:fs/promises';
import type { OpenBlobsOptions } from '../open-objects.ts';
import { openBlobs } from '../open-objects.ts';

const [options = '', bytes = '0'] = process.argv.slice(2);
const staged = await openBlobs(JSON.parse(options) as OpenBlobsOptions).stage('killed.1');
await writeFile(staged.path, Buffer.alloc(Number(bytes)));
await staged.publish({ contentType: 'image/tiff' });
