/** What the caller's keys use, by day: a table with a bar for each day, and as a file. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { toFailure } from '../../api/failure.ts';
import { formatBytes, formatDate } from '../../texts/format.ts';
import { Button } from '../kit/controls.tsx';
import { usePanel } from '../kit/panel.tsx';
import { Notice, Section } from '../kit/parts.tsx';
import { saveFile } from '../save-file.ts';
import type { UsedDay } from './account-calls.ts';
import { readUsage } from './account-calls.ts';
import { useWords, useWork } from './account-hooks.ts';

/** The section. */
export const UsageTable: FunctionComponent = () => {
  const { api, texts } = usePanel();
  const words = useWords().usage;
  const days = useSignal<readonly UsedDay[] | null>(null);
  const { failure, isBusy, run } = useWork();
  useEffect(
    () =>
      run(async () => {
        days.value = await readUsage(api);
      }),
    [],
  );
  const save = (): void =>
    run(async () => {
      const response = await api.send('api/usage?format=csv', {});
      const text = await response.text();
      if (!response.ok) throw toFailure(response.status, text);
      saveFile('usage.csv', 'text/csv', text);
    });
  const most = Math.max(1, ...(days.value ?? []).map(({ requests }) => requests));
  const count = (value: number): string => value.toLocaleString(texts.locale);
  return (
    <Section title={words.title} class="usage">
      {failure !== null && <Notice kind="error">{failure}</Notice>}
      {days.value !== null && days.value.length === 0 && <p class="muted">{words.none}</p>}
      {days.value !== null && days.value.length > 0 && (
        <>
          <table>
            <thead>
              <tr>
                {[words.day, words.requests, words.tiles, words.sent, words.tasks].map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.value.map(({ day, requests, tiles, bytes, tasks }) => (
                <tr key={day}>
                  <th scope="row">{formatDate(day, texts.locale)}</th>
                  <td>
                    {/* The number says the same to screen readers. */}
                    <span
                      class="usage-bar"
                      aria-hidden="true"
                      style={{ width: `${(100 * requests) / most}%` }}
                    />
                    {count(requests)}
                  </td>
                  <td>{count(tiles)}</td>
                  <td>{formatBytes(bytes, texts.locale)}</td>
                  <td>{count(tasks)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Button icon="download" isDisabled={isBusy} onClick={save}>
            {words.save}
          </Button>
        </>
      )}
    </Section>
  );
};
