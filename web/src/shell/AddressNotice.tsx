/** Says where to open Tunemate when the page stands at an address that the server takes for another site's. */
import { useApp } from '../app-context.ts';
import { homeCopy } from '../copy/home.ts';
import { useReadable } from '../store/use-readable.ts';
import styles from './AddressNotice.module.css';

/** Nothing at the right address. Stays, because nothing on this page can be sent before it is opened elsewhere. */
export function AddressNotice() {
  const openAt = useReadable(useApp().session.config)?.openAt ?? null;
  if (openAt === null) return null;
  return (
    <div className={styles.notice} role="alert">
      {homeCopy.wrongAddress} <a href={openAt}>{openAt}</a>. {homeCopy.wrongAddressAdvice}{' '}
      <code>PUBLIC_URL={location.origin}</code>
    </div>
  );
}
