import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';

test('SIGTERM to "npm start" stops the service behind it', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'swath-npm-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const env = {
    ...process.env,
    SWATH_DATA: directory,
    SWATH_PORT: '0',
    SWATH_DEMO: 'off',
    SWATH_LOG: 'silent',
  };
  const npm = spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => npm.kill('SIGKILL'));
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
  await waitFor(() => !existsSync(join(directory, 'server.pid')));
});
