/** Panels, and parts of them, whose code is loaded when they are first shown. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from './kit/controls.tsx';
import { usePanel } from './kit/panel.tsx';
import type { PartFailure } from './load-part.ts';
import { loadPart } from './load-part.ts';

/** A panel whose code is loaded when it is first opened: what few visits need, no visit waits for. */
export const lazyPanel =
  (load: () => Promise<FunctionComponent>): FunctionComponent =>
  () => {
    const { texts } = usePanel();
    const loaded = useSignal<{ readonly Panel: FunctionComponent } | PartFailure | null>(null);
    useEffect(
      () =>
        loadPart({
          async load() {
            loaded.value = null;
            loaded.value = { Panel: await load() };
          },
          onFailure(failure) {
            loaded.value = failure;
          },
          texts,
        }),
      [],
    );
    const { value } = loaded;
    if (value !== null && 'Panel' in value) return <value.Panel />;
    return (
      <div class="state" aria-busy={value === null}>
        {value === null ? (
          <p class="muted">{texts.frame.loadingPanel}</p>
        ) : (
          <>
            <p role="alert">{value.text}</p>
            <Button onClick={value.action.run}>{value.action.label}</Button>
          </>
        )}
      </div>
    );
  };
