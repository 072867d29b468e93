/** A choice that makes the page anew: arrow keys walk through it, and only then it is applied. */
import { el } from './dom.ts';

/** The button that applies what was walked to, and what a change of the control calls. */
export interface SureChoice {
  readonly button: HTMLButtonElement;
  /** The control has another value. */
  onChange(): void;
}

/**
 * Watches the keys of `control`, in which every step of the arrow keys is a change. A click, a tap or Space applies at
 * once; after keys the button appears, and Enter or the button applies.
 */
export const makeSureChoice = (
  control: HTMLElement,
  { label, apply }: { readonly label: string; apply(): void },
): SureChoice => {
  let isWalking = false;
  const button = el('button', { type: 'button', class: 'secondary', hidden: true }, label);
  button.addEventListener('click', apply);
  control.addEventListener('keydown', (event) => {
    isWalking = event.key !== ' ' && event.key !== 'Enter';
    if (event.key !== 'Enter' || button.hidden) return;
    event.preventDefault();
    apply();
  });
  control.addEventListener('keyup', () => {
    isWalking = false;
  });
  control.addEventListener('pointerdown', () => {
    isWalking = false;
  });
  return {
    button,
    onChange() {
      button.hidden = false;
      if (!isWalking) apply();
    },
  };
};
