/** Whether the page has been without its server for so long that waiting says nothing: what is not there does not come soon. */
import { createContext, use } from 'react';
import { t } from '../../language/t.ts';

export const CutOffContext = createContext(false);

/** What stands in the place of a text that says that something loads; null while it may come at any moment. */
export const useCutOff = (): string | null =>
  use(CutOffContext) ? t`This is not on this device. It is shown once there is a connection.` : null;
