/** A choice that reloads the page: arrow keys walk through it first, and it is applied afterwards. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../kit/controls.tsx';

interface SureChoiceProps<Value> {
  /** What is in use. */
  readonly value: Value;
  /** The words on the button. */
  readonly label: string;
  readonly apply: (value: Value) => void;
  /** The control, with what it shows, what a change of it calls, and the button, which belongs to its group. */
  readonly children: (
    value: Value,
    onChoose: (value: Value) => void,
    apply: ComponentChildren,
  ) => ComponentChildren;
}

/**
 * Watches the keys of the control, in which every step of the arrow keys is a change. A click, a tap or Space applies at
 * once; after keys the button appears, and Enter or the button applies.
 */
export const SureChoice = <Value,>({ value, label, apply, children }: SureChoiceProps<Value>) => {
  const chosen = useSignal(value);
  const isOffered = useSignal(false);
  const isWalking = useRef(false);
  const stopWalking = (): void => {
    isWalking.current = false;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    isWalking.current = event.key !== ' ' && event.key !== 'Enter';
    if (event.key !== 'Enter' || !isOffered.value || event.target instanceof HTMLButtonElement) return;
    event.preventDefault();
    apply(chosen.value);
  };
  const onChoose = (next: Value): void => {
    chosen.value = next;
    isOffered.value = true;
    if (!isWalking.current) apply(next);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the control inside has the role; this only sees its keys.
    <div class="sure-choice" onKeyDown={onKeyDown} onKeyUp={stopWalking} onPointerDown={stopWalking}>
      {children(
        chosen.value,
        onChoose,
        isOffered.value && <Button onClick={() => apply(chosen.value)}>{label}</Button>,
      )}
    </div>
  );
};
