import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

test('SIGTERM to "npm start" stops the service behind it', { timeout: 60_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'swath-npm-'));
  const env = {
    ...process.env,
    SWATH_DATA: directory,
    SWATH_PORT: '0',
    SWATH_DEMO: 'off',
    SWATH_LOG: 'silent',
  };
  const npm = spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  await new Promise<void>((resolve, reject) => {
    npm.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('Stop with Ctrl-C')) resolve();
    });
    npm.on('exit', (status) => reject(new Error(`npm start ended with ${status}: ${text}`)));
  });
  assert.match(
    text,
    /http:\/\/127\.0\.0\.1:\d+\/\?api_key=apk\.[0-9a-f]{64}\n/,
    'the first start prints the address with a key',
  );
  npm.kill('SIGTERM');
  // The service removes this file as its very last act.
  while (existsSync(join(directory, 'server.pid'))) await new Promise((resolve) => setTimeout(resolve, 50));
  rmSync(directory, { recursive: true });
});
