/** Contrast: for each channel two handles over the histogram of the ground that is seen. */
import type { FunctionComponent } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { Button } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import type { ChannelName } from './contrast-row.tsx';
import { ContrastRow } from './contrast-row.tsx';
import { makeContrastControl } from './contrast-state.ts';

const CHANNELS: readonly ChannelName[] = ['red', 'green', 'blue'];

/** The section; values are read while it is open. */
export const ContrastSection: FunctionComponent = () => {
  const context = usePanel();
  const { texts } = context;
  const control = useMemo(() => makeContrastControl(context), []);
  const isAutomatic = usePart(({ picture }) => picture.contrast === null && picture.stretch === 'auto');
  const rows = control.rows.value;
  // Rows stay, and are disabled, while those of another picture are read.
  const count = useRef(1);
  if (rows !== null) count.current = rows.length;
  return (
    <details
      class="section"
      id="contrast"
      onToggle={({ currentTarget }) => control.setOpen(currentTarget.open)}
    >
      <summary>{texts.look.contrast}</summary>
      <div class="group">
        {Array.from({ length: count.current }, (_, i) => {
          const channel = count.current === 1 ? 'all' : (CHANNELS[i] ?? 'all');
          return (
            <ContrastRow
              key={channel}
              channel={channel}
              values={rows?.[i] ?? null}
              onChoose={(contrast) => control.choose(i, contrast)}
            />
          );
        })}
      </div>
      <p class="muted small" role="status">
        {control.note.value}
      </p>
      <div class="contrast-buttons">
        <Button look="link" isDisabled={isAutomatic} onClick={control.reset}>
          {texts.look.automatic}
        </Button>
        {control.isPart.value && (
          <Button look="link" onClick={control.takeVisible}>
            {texts.contrast.visible}
          </Button>
        )}
        <Button look="link" isDisabled={rows === null} onClick={control.takeWhole}>
          {texts.contrast.whole}
        </Button>
      </div>
    </details>
  );
};
