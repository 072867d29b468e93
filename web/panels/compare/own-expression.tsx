/** Band math of one's own in a comparison: a line of text that the server checks before it is shown. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { makeLatest } from '../../actions/latest.ts';
import { usePanel } from '../kit/panel.tsx';

/** The choice of a list to write an expression; no band math has this sign. */
export const OWN = '…';

interface OwnExpressionProps {
  readonly id: string;
  readonly label: string;
  /** What the line begins with. */
  readonly text: string;
  /** Whether it was just opened to be written in. */
  readonly hasFocus: boolean;
  /** The scenes that must understand it. */
  readonly viewIds: readonly string[];
  /** Why a text that the server understands is still of no use; `null` if it is. */
  readonly refuse?: (text: string) => string | null;
  readonly onShow: (text: string) => void;
}

/** The line. */
export const OwnExpression: FunctionComponent<OwnExpressionProps> = ({
  id,
  label,
  text,
  hasFocus,
  viewIds,
  refuse,
  onShow,
}) => {
  const {
    api,
    actions,
    texts: { look },
  } = usePanel();
  const latest = useMemo(makeLatest, []);
  const input = useRef<HTMLInputElement>(null);
  const refusal = useSignal<string | null>(null);
  useLayoutEffect(() => () => latest.cancel(), []);
  useLayoutEffect(() => {
    if (hasFocus) input.current?.focus();
  }, [hasFocus]);
  useLayoutEffect(() => {
    const { current } = input;
    // What is being typed stays.
    if (current === null || current.value === text) return;
    if (document.activeElement === current && current.value !== '') return;
    current.value = text;
    refusal.value = null;
  }, [text]);
  const check = async (typed: string): Promise<void> => {
    const signal = latest.start();
    try {
      const checks = await Promise.all(viewIds.map((viewId) => api.checkExpression(viewId, typed, signal)));
      if (signal.aborted) return;
      const bad = checks.find(({ isGood }) => !isGood);
      const error = bad?.isGood === false ? bad.error : (refuse?.(typed) ?? null);
      refusal.value = error;
      if (error === null) onShow(typed);
    } catch (error) {
      if (!signal.aborted) actions.report.fail(error);
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const typed = input.current?.value.trim() ?? '';
    if (typed !== '') void check(typed);
  };
  return (
    <form class="own-expression" onSubmit={submit}>
      <div class="row">
        <input
          ref={input}
          type="text"
          id={id}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          aria-label={label}
          aria-describedby={`${id}-note`}
          aria-invalid={refusal.value !== null}
          placeholder="(NIR-RED)/(NIR+RED)"
          onInput={() => {
            latest.cancel();
            refusal.value = null;
          }}
        />
        <button type="submit" class="secondary">
          {look.showExpression}
        </button>
      </div>
      <p id={`${id}-note`} class={refusal.value === null ? 'muted small' : 'small refusal'} role="status">
        {/* Further lines of the error repeat the text with a mark under it. */}
        {refusal.value?.split('\n')[0] ?? look.expressionHint}
      </p>
    </form>
  );
};
