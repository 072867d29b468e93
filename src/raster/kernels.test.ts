import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadKernels } from './kernels.ts';

test('kernels load while code generation from strings is disallowed', () => {
  assert.ok(process.execArgv.includes('--disallow-code-generation-from-strings'), 'scripts/test.ts sets it');
  assert.equal(typeof loadKernels().run.near, 'function');
});

test('allocations do not overlap, are aligned, and start over with the next use', () => {
  const kernels = loadKernels();
  const allocate = kernels.begin();
  const addresses = [allocate(1), allocate(33), allocate(0), allocate(16)];
  for (const [i, address] of addresses.entries()) {
    assert.equal(address % 16, 0);
    if (i > 0) assert.ok(address >= addresses[i - 1]! + 16);
  }
  assert.ok(addresses[2]! - addresses[1]! >= 33);
  assert.equal(kernels.begin()(1), addresses[0]);
  assert.equal(kernels.begin(addresses[2])(1), addresses[2], 'or from an address on');
});

test('memory grows up to 256 MiB and no further', () => {
  const kernels = loadKernels();
  const allocate = kernels.begin();
  allocate(200 * 1024 * 1024);
  assert.ok(kernels.buffer().byteLength >= 200 * 1024 * 1024);
  assert.throws(() => allocate(56 * 1024 * 1024), { tag: 'too-large', code: 'work-memory' });
  assert.ok(kernels.buffer().byteLength <= 256 * 1024 * 1024);
});

test('two sets of kernels do not share memory', () => {
  const [one, two] = [loadKernels(), loadKernels()];
  new Uint8Array(one.buffer())[5000] = 77;
  assert.notEqual(new Uint8Array(two.buffer())[5000], 77);
});
