/** Beside the name of who holds the remote; few rooms lend it. */
import { t } from '../../language/t.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { RemoteIcon } from '../../ui/icons/marks.tsx';

export const RemoteMark = () => (
  <>
    <RemoteIcon size={16} />
    <VisuallyHidden>{t`Holds the remote`}</VisuallyHidden>
  </>
);
