/**
 * Firefox, driven by WebDriver BiDi. Playwright has a driver for it, which sets media features that this protocol of Firefox
 * does not know, and fails.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A page of Firefox. */
export interface FirefoxPage extends AsyncDisposable {
  /** Errors on the console and uncaught exceptions. */
  readonly problems: readonly string[];
  goto(url: string): Promise<void>;
  /** The value of an expression, or what its promise resolves to; what JSON can hold. */
  evaluate(expression: string): Promise<unknown>;
  /** Waits until an expression is true; there is no deadline, the caller's own ends it. */
  when(expression: string): Promise<void>;
  /** Clicks into the middle of the first element of a selector. */
  click(selector: string): Promise<void>;
  /** Clicks at points of the window. */
  clickAt(points: readonly (readonly [xPx: number, yPx: number])[]): Promise<void>;
  press(key: string): Promise<void>;
  /** The window as PNG. */
  screenshot(): Promise<Buffer>;
}

/** Programs that are Firefox. */
const PROGRAMS = ['firefox-esr', 'firefox'] as const;
const POLL_MS = 50;
/** Nothing of a first start, WebGL on any machine, and no motion to wait for. */
const PREFERENCES = {
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.update.enabled': false,
  'webgl.force-enabled': true,
  'ui.prefersReducedMotion': 1,
  'intl.accept_languages': 'en-US',
} as const;

/** The installed Firefox; `null` without one. */
export const findFirefox = (): { readonly program: string; readonly version: string } | null => {
  for (const program of PROGRAMS) {
    const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
    if (status === 0) return { program, version: stdout.trim() };
  }
  return null;
};

/** A screen in memory: without one Firefox has no WebGL. */
async function startScreen() {
  const child = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x1024x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const number = await new Promise<string>((resolve, reject) => {
    child.once('error', () => reject(new Error('Xvfb is not installed.')));
    child.once('exit', () => reject(new Error('Xvfb ended.')));
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
  });
  return { display: `:${number}`, stop: () => child.kill() };
}

/** Starts the program, and answers the address at which it takes commands. */
async function startProgram(program: string) {
  const screen = await startScreen();
  const profile = mkdtempSync(join(tmpdir(), 'swath-firefox-'));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const child = spawn(program, ['--no-remote', '--profile', profile, '--remote-debugging-port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DISPLAY: screen.display, MOZ_ENABLE_WAYLAND: '0' },
  });
  const { promise: address, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    const [, found] = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(said) ?? [];
    if (found !== undefined) resolve(found);
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  void ended.then(() => reject(new Error(`Firefox ended: ${said.slice(-500)}`)));
  process.once('exit', () => child.kill('SIGKILL'));
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
    screen.stop();
    rmSync(profile, { recursive: true, force: true });
  };
  return { address, stop };
}

interface Message {
  readonly id?: number;
  readonly type: string;
  readonly method?: string;
  readonly params?: { readonly level?: string; readonly text?: string };
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

/** Sends commands over a connection; each waits for its answer. */
async function connect(address: string, onEvent: (message: Message) => void) {
  const socket = new WebSocket(`${address}/session`);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    const asked = message.id === undefined ? undefined : waiting.get(message.id);
    if (asked === undefined || message.id === undefined) return onEvent(message);
    waiting.delete(message.id);
    if (message.type === 'success') asked.resolve(message.result);
    else asked.reject(new Error(`${message.error}: ${message.message}`));
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('Firefox does not take commands.')));
  });
  return (method: string, params: object): Promise<unknown> => {
    const asked = Promise.withResolvers<unknown>();
    waiting.set(++lastId, asked);
    socket.send(JSON.stringify({ id: lastId, method, params }));
    return asked.promise;
  };
}

/** Opens a page of the size of tests. */
export async function openFirefox(
  program: string,
  viewport: { readonly width: number; readonly height: number },
): Promise<FirefoxPage> {
  const started = await startProgram(program);
  const problems: string[] = [];
  const send = await connect(await started.address, ({ method, params }) => {
    if (method === 'log.entryAdded' && params?.level === 'error') problems.push(params.text ?? '');
  });
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const { contexts } = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] };
  const context = contexts[0]?.context ?? '';
  await send('browsingContext.setViewport', { context, viewport });

  const evaluate = async (expression: string): Promise<unknown> => {
    const answer = (await send('script.evaluate', {
      expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
      target: { context },
      awaitPromise: true,
    })) as {
      readonly result?: { readonly value?: string };
      readonly exceptionDetails?: { readonly text: string };
    };
    if (answer.exceptionDetails !== undefined) throw new Error(answer.exceptionDetails.text);
    return JSON.parse(answer.result?.value ?? 'null');
  };
  const act = (type: 'pointer' | 'key', actions: readonly object[]): Promise<unknown> =>
    send('input.performActions', { context, actions: [{ type, id: type, actions }] });
  const clickAt: FirefoxPage['clickAt'] = async (points) => {
    for (const [x, y] of points)
      await act('pointer', [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]);
  };
  const when = async (expression: string): Promise<void> => {
    while ((await evaluate(expression)) !== true) await delay(POLL_MS);
  };
  return {
    problems,
    evaluate,
    when,
    clickAt,
    goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    async click(selector) {
      const quoted = JSON.stringify(selector);
      await when(`document.querySelector(${quoted}) !== null`);
      const middle = await evaluate(`(() => {
        const element = document.querySelector(${quoted});
        element.scrollIntoView({ block: 'nearest' });
        const { left, top, width, height } = element.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
      })()`);
      await clickAt([middle as [number, number]]);
    },
    press: async (value) =>
      void (await act('key', [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])),
    async screenshot() {
      const { data } = (await send('browsingContext.captureScreenshot', { context })) as { data: string };
      return Buffer.from(data, 'base64');
    },
    [Symbol.asyncDispose]: started.stop,
  };
}
