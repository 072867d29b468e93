/** Fields: those of the key with their values, on the map and in a list, and what can be done with them. */
import type { ComponentChildren, FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Language, LoadLaterTexts } from '../../texts/choose-texts.ts';
import { englishFields } from '../../texts/en-fields.ts';
import { Button } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { Empty } from '../kit/parts.tsx';
import { AlertsPage } from './alerts-page.tsx';
import { FieldsContext, useFields } from './field-context.ts';
import { List } from './field-list.tsx';
import { FieldPage } from './field-page.tsx';
import { makeFieldsModel } from './fields-model.ts';
import { drawFields } from './fields-on-map.ts';
import { ImportPage, loadExample } from './import-page.tsx';
import { NewField } from './new-field.tsx';

/** What the owner of fields does first. */
const Tools: FunctionComponent<{ readonly children?: ComponentChildren }> = ({ children }) => {
  const { actions } = usePanel();
  const { words, page } = useFields();
  return (
    <div class="buttons">
      <Button
        icon="polygon"
        onClick={() => {
          page.value = { kind: 'new' };
          actions.setArea(null);
          actions.setTool('polygon');
        }}
      >
        {words.draw}
      </Button>
      <Button
        icon="import"
        onClick={() => {
          page.value = { kind: 'import' };
        }}
      >
        {words.import}
      </Button>
      {children}
    </div>
  );
};

const AlertsButton: FunctionComponent = () => {
  const { words, page } = useFields();
  return (
    <Button
      icon="bell"
      onClick={() => {
        page.value = { kind: 'alerts', fieldId: null };
      }}
    >
      {words.alerts.title}
    </Button>
  );
};

const NoFields: FunctionComponent = () => {
  const { words, mayChange, page, brought } = useFields();
  const hasDemo = usePart(({ knowledge }) => knowledge?.origins.hasDemo ?? false);
  if (!mayChange.value) return <Empty title={words.emptyTitle} text={words.emptyReader} />;
  return (
    <>
      <Empty title={words.emptyTitle} text={words.empty} />
      <Tools />
      {hasDemo && (
        <div>
          <Button
            look="primary"
            icon="fields"
            onClick={async () => {
              brought.value = { file: await loadExample(), group: words.exampleGroup };
              page.value = { kind: 'import' };
            }}
          >
            {words.example}
          </Button>
          <p class="muted small">{words.exampleHint}</p>
        </div>
      )}
    </>
  );
};

const Content: FunctionComponent = () => {
  const { texts } = usePanel();
  const model = useFields();
  const { words, page, list, fields, mayChange } = model;
  const now = page.value;
  const isEmpty = fields.value.length === 0;
  if (list.value.kind === 'failed')
    return (
      <Empty text={list.value.text}>
        <Button onClick={() => void model.load()}>{texts.frame.tryAgain}</Button>
      </Empty>
    );
  if (list.value.kind !== 'ready') return <Empty text={words.loading} />;
  switch (now.kind) {
    case 'new':
      return <NewField />;
    case 'import':
      return <ImportPage />;
    case 'alerts':
      return <AlertsPage fieldId={now.fieldId} />;
    case 'field': {
      const field = fields.value.find(({ id }) => id === now.id);
      return field === undefined ? <Empty text={words.noMatch} /> : <FieldPage field={field} />;
    }
    case 'list':
      return isEmpty ? (
        <NoFields />
      ) : (
        <>
          {mayChange.value && (
            <Tools>
              <AlertsButton />
            </Tools>
          )}
          <List />
        </>
      );
  }
};

const Fields: FunctionComponent = () => {
  const { words, page, leaveField } = useFields();
  const { actions } = usePanel();
  const host = useRef<HTMLDivElement>(null);
  const { kind } = page.value;
  const opened = kind === 'field' ? page.value.id : kind;
  const before = useRef(opened);
  // The keyboard goes on where the page has changed.
  useEffect(() => {
    if (before.current === opened) return;
    before.current = opened;
    host.current?.scrollIntoView();
    host.current?.focus({ preventScroll: true });
  }, [opened]);
  return (
    <div class="fields-panel" ref={host} tabIndex={-1}>
      {kind !== 'list' && (
        <div>
          <Button
            look="link"
            icon="newer"
            onClick={() => {
              actions.setTool(null);
              if (kind === 'field') leaveField();
              page.value = { kind: 'list' };
            }}
          >
            {words.back}
          </Button>
        </div>
      )}
      <Content />
    </div>
  );
};

/** Loads the words of the panel, and makes it of them. */
export const loadFields = async (loadTexts: LoadLaterTexts): Promise<FunctionComponent> => {
  const words = await loadTexts('fields', englishFields, document.documentElement.lang as Language);
  return () => {
    const context = usePanel();
    const [model] = useState(() => {
      const made = makeFieldsModel(context, words);
      drawFields(made, context);
      return made;
    });
    return (
      <FieldsContext.Provider value={model}>
        <Fields />
      </FieldsContext.Provider>
    );
  };
};
