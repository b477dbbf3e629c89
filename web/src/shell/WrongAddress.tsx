/**
 * Says where to open Tunemate when the server takes the page's address for another site's. Can't be dismissed: no request
 * of this page can succeed at the wrong address.
 */
import { t } from '../language/t.ts';
import styles from './Root.module.css';

const cannotSend = t`Nothing can be sent from this address. Open Tunemate at`;
const advice = t`To use this address, the person who runs it can start it with`;

export function WrongAddress({ openAt }: { openAt: string }) {
  return (
    <div className={styles.notice} role="alert">
      <span>{`${cannotSend} `}</span>
      <a href={openAt}>{openAt}</a>
      <span>{`. ${advice} `}</span>
      <code>{`PUBLIC_URL=${location.origin}`}</code>
    </div>
  );
}
