/** Short messages over the map: errors stay until they are closed, confirmations go by themselves. */
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Notice } from '../state/viewer-state.ts';
import { Button } from './kit/controls.tsx';
import { usePanel, usePart } from './kit/panel.tsx';

/** Long enough to read two short sentences. */
const DONE_MS = 6000;

const Message: FunctionComponent<{ readonly notice: Notice }> = ({ notice }) => {
  const { actions, texts } = usePanel();
  const { id, kind, text, action } = notice;
  useEffect(() => {
    if (kind !== 'done') return;
    const timer = setTimeout(() => actions.report.dismiss(id), DONE_MS);
    return () => clearTimeout(timer);
  }, []);
  const act = (): void => {
    actions.report.dismiss(id);
    action?.run();
  };
  return (
    <div class={`notice notice-${kind}`}>
      <p>{text}</p>
      {action !== null && (
        <Button look="link" onClick={act}>
          {action.label}
        </Button>
      )}
      <Button
        look="plain"
        icon="close"
        label={texts.frame.closeMessage}
        onClick={() => actions.report.dismiss(id)}
      />
    </div>
  );
};

/** The messages; the page marks what they are mounted in as a live region, so that they are read aloud. */
export const Notices: FunctionComponent = () => {
  const notices = usePart((state) => state.notices);
  return (
    <>
      {notices.map((notice) => (
        <Message key={notice.id} notice={notice} />
      ))}
    </>
  );
};
