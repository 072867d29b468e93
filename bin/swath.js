#!/usr/bin/env -S node --disallow-code-generation-from-strings --disable-proto=delete --max-semi-space-size=16
// Plain JavaScript on purpose: an old Node must be able to read this far to be refused in words.
const needed = 24;
if (Number(process.versions.node.split('.')[0]) < needed) {
  console.error(
    `Swath needs Node.js ${needed} or newer; this is ${process.version}. In a checkout, "npm start" brings its own.`,
  );
  process.exit(1);
}
// Threads that read and write files. All others share them, so with the default of four, four files that are being synced
// would hold up every tile. Both must be decided before the first of them is used; on Linux a thread has a weight.
process.env.UV_THREADPOOL_SIZE ??= '16';
if (process.platform === 'linux' && process.argv[2] === 'serve') {
  const { Worker } = await import('node:worker_threads');
  const starter = new Worker(new URL('./io-threads.js', import.meta.url));
  await new Promise((resolve) => starter.once('exit', resolve).once('message', resolve));
}
// What V8 compiled is kept beside the packages, also for the threads: a start takes half the time. Where nothing can be
// written there, Node goes on without it.
const { enableCompileCache } = await import('node:module');
const { fileURLToPath } = await import('node:url');
const { directory } = enableCompileCache(
  fileURLToPath(new URL('../node_modules/.cache/swath', import.meta.url)),
);
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory;
const { isBuilt } = await import('./is-built.js');
const { main } = await (isBuilt() ? import('./dist/main.js') : import('../src/main.ts'));
process.exitCode = await main(process.argv.slice(2), process.env);
// A connection to a machine that has died stays open for minutes; all that matters is done, so it is not waited for.
setTimeout(() => process.exit(), 2_000).unref();
