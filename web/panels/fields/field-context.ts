/** The model for the components of the panel. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FieldsModel } from './fields-model.ts';

/** Holds the model. */
export const FieldsContext = createContext<FieldsModel | null>(null);

/** The model of the panel. */
export const useFields = (): FieldsModel => {
  const model = useContext(FieldsContext);
  if (model === null) throw new Error('This component is not inside the panel of fields.');
  return model;
};
