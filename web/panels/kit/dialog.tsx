/** Dialogs over the page, each of which is there as long as it is open. */
import type { ComponentChildren } from 'preact';
import type { PanelContext } from '../panel-context.ts';
import { mount } from './panel.tsx';

/** Opens a form to save a file; `makeForm` takes what closes it. The form has a heading with the id `titleId`. */
export const openDialog = (
  context: PanelContext,
  titleId: string,
  makeForm: (close: () => void) => ComponentChildren,
): void => {
  const dialog = document.createElement('dialog');
  dialog.className = 'file-dialog';
  dialog.setAttribute('aria-labelledby', titleId);
  const form = makeForm(() => dialog.close());
  const unmount = mount(dialog, () => <>{form}</>, context);
  dialog.addEventListener('close', () => {
    unmount();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
};
