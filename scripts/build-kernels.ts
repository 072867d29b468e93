/**
 * Compiles the AssemblyScript kernels to `kernels/dist/swath.wasm`; run by npm's `prepare`.
 * The same sources and compiler give the same bytes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { hashSources, KERNELS, toBuiltFrom } from './built-from.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Pages of 64 KiB: starts at 1 MiB, and at 256 MiB a warp is refused rather than the machine exhausted. */
const memoryPages = { initial: 16, maximum: 4096 };

mkdirSync(`${root}kernels/dist`, { recursive: true });
const builtFrom = hashSources(root, KERNELS);
const startedAtMs = performance.now();
const { error, stderr } = await asc.main([
  'kernels/index.ts',
  `--baseDir=${root}`,
  '--outFile=kernels/dist/swath.wasm',
  '--runtime=stub',
  '--enable=simd',
  '--optimizeLevel=3',
  '--shrinkLevel=0',
  '--converge',
  '--noAssert',
  '--use=abort=',
  // Vectors pass between our modules only, never to JavaScript.
  '--disableWarning=112',
  `--initialMemory=${memoryPages.initial}`,
  `--maximumMemory=${memoryPages.maximum}`,
]);
if (error) {
  console.error(stderr.toString());
  throw new Error(`The kernels do not compile: ${error.message}`);
}
writeFileSync(toBuiltFrom(root, KERNELS), builtFrom);
console.log(`kernels/dist/swath.wasm built in ${Math.round(performance.now() - startedAtMs)} ms`);
