/** Below a link that names an address of the machine in its network: who it works for, and which address it names. */
import { t } from '../../language/t.ts';
import { chooseLinkOrigin, chosenOrigin, linkChoices } from '../../store/link-address.ts';
import { useReadable } from '../../store/use-readable.ts';
import { RadioRows } from '../../ui/fields/RadioRows.tsx';
import { NetworkIcon } from '../../ui/icons/door-icons.tsx';
import styles from './Invite.module.css';

export function LinkAddress({ canChoose }: { canChoose: boolean }) {
  const choices = useReadable(linkChoices);
  const chosen = useReadable(chosenOrigin);
  if (chosen === null) return null;
  const rows = choices.map(({ origin, of, isOpened }) => ({
    value: origin,
    label: new URL(origin).hostname,
    detail: isOpened ? t`Last opened from elsewhere with this one` : of,
  }));
  return (
    <>
      <p className={styles.network}>
        <NetworkIcon />
        <span>{t`Works for people in your network.`}</span>
      </p>
      {canChoose && rows.length > 1 && (
        <RadioRows title={t`Address in links`} rows={rows} value={chosen} onChange={chooseLinkOrigin} />
      )}
    </>
  );
}
