/** Shows where to open Tunemate when the server takes the page's address for another site's. */
import { useApp } from '../app-context.ts';
import { shellCopy } from '../copy/shell.ts';
import { useReadable } from '../store/use-readable.ts';
import styles from './AddressNotice.module.css';

/** Shows nothing at the right address. Can't be dismissed: no request of this page can succeed at the wrong one. */
export function AddressNotice() {
  const openAt = useReadable(useApp().session.config)?.openAt ?? null;
  if (openAt === null) return null;
  return (
    <div className={styles.notice} role="alert">
      {shellCopy.wrongAddress} <a href={openAt}>{openAt}</a>. {shellCopy.wrongAddressAdvice}{' '}
      <code>PUBLIC_URL={location.origin}</code>
    </div>
  );
}
