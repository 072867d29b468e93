import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Attack } from './attack.ts';
import { judge, skip } from './attack.ts';

/** An attack that a test makes on programs of its own: run here too, so that one call shows all of them. */
export function toTestAttack(
  file: string,
  { only, ...attack }: Omit<Attack, 'run'> & { readonly only?: string },
): Attack {
  return {
    ...attack,
    async run() {
      const path = fileURLToPath(new URL(file, import.meta.url));
      const pattern = only === undefined ? [] : [`--test-name-pattern=${only}`];
      const text = await runTests([...pattern, path]);
      const count = (what: string): number =>
        Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
      const [passed, failed, skipped] = [count('pass'), count('fail'), count('skipped')];
      if (passed + failed === 0 && skipped > 0)
        skip(/# SKIP (.*)$/m.exec(text)?.[1] ?? 'the test does not run here');
      const saw = `${passed} tests pass, ${failed} fail, ${skipped} skipped`;
      // A file that is gone, or a name that fits no test, is a failure of the attack itself.
      return judge(saw, { 'some pass': passed > 0, 'none fails': failed === 0 });
    },
  };
}

function runTests(args: readonly string[]): Promise<string> {
  // A test within a test run would otherwise take itself for a part of that one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--test', '--test-reporter=tap', ...args], { env });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return new Promise((resolve) => child.on('close', () => resolve(text)));
}
