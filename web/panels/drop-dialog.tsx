/** The question what becomes of a dropped file: the area of the page, or fields. */
import type { FunctionComponent } from 'preact';
import { bringFile } from './bring-file.ts';
import { usesOf } from './file-uses.ts';
import { Button } from './kit/controls.tsx';
import { openDialog } from './kit/dialog.tsx';
import { usePanel } from './kit/panel.tsx';
import type { PanelContext } from './panel-context.ts';

interface QuestionProps {
  readonly file: File;
  readonly onClose: () => void;
}

const Question: FunctionComponent<QuestionProps> = ({ file, onClose }) => {
  const context = usePanel();
  const { actions, texts } = context;
  const words = texts.area.dropped;
  const { isArea } = usesOf(file.name);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onClose();
        actions.bringFields(file);
      }}
    >
      <header>
        <h2 id="drop-title" class="ellipsis">
          {file.name}
        </h2>
        <Button look="plain" icon="close" label={words.cancel} onClick={onClose} />
      </header>
      <p>{isArea ? words.question : words.onlyFields}</p>
      <div class="buttons">
        {isArea && (
          <Button
            icon="polygon"
            onClick={() => {
              onClose();
              void bringFile(file, context);
            }}
          >
            {words.asArea}
          </Button>
        )}
        <button type="submit" class={isArea ? 'secondary' : 'primary'}>
          {words.asFields}
        </button>
      </div>
    </form>
  );
};

/** Asks. */
export const askAboutFile = (file: File, context: PanelContext): void =>
  openDialog(context, 'drop-title', (close) => <Question file={file} onClose={close} />);
