/**
 * A process of its own that runs the browser and prints where to reach it; it ends when its standard input does.
 * Apart, because Playwright checks page functions with `new Function`, which the flags of our test processes forbid;
 * and because a test process that is killed closes the pipe, so no browser is ever left behind.
 */
import { chromium } from 'playwright-core';
import { HANG_MS } from '../../src/testing/wait-for.ts';
import { readChromium } from './unpack-chromium.ts';

const ownPath = process.env.CHROMIUM_PATH;
const { executablePath, env } =
  ownPath === undefined
    ? await readChromium()
    : { executablePath: ownPath, env: {} as Record<string, string> };

const server = await chromium.launchServer({
  executablePath,
  host: '127.0.0.1',
  headless: true,
  timeout: HANG_MS,
  // Containers often run tests as root or without user namespaces, where the sandbox cannot start; the browser only
  // visits servers that the tests themselves start on this machine.
  chromiumSandbox: false,
  // WebGL 2 drawn by the processor (SwiftShader), the same on every machine.
  args: [
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--ignore-gpu-blocklist',
    // Only WebGL is drawn so: the page around it costs half as much without it.
    '--disable-gpu-compositing',
  ],
  env: { ...(process.env as Record<string, string>), ...env },
});
process.stdin.on('end', () => {
  server.close().finally(() => process.exit(0));
});
process.stdin.resume();
console.log(server.wsEndpoint());
