/** The list of keys: the user's own ones and the host's. */
import { Button } from '../../ui/buttons/Button.tsx';
import { ModalCard } from '../../ui/dialogs/ModalCard.tsx';
import styles from './KeysDialog.module.css';
import { t } from '../../language/t.ts';

interface Row {
  keys: readonly string[];
  between?: string;
  means: string;
}

/** Keys that affect this device only. */
const own: readonly Row[] = [
  { keys: ['↑', '↓'], means: t`Volume` },
  { keys: ['m'], means: t`Mute` },
];
const picture: Row = { keys: ['f'], means: t`Full screen` };
const help: Row = { keys: ['?'], means: t`This list` };
const leading: readonly Row[] = [
  { keys: [t`Space`, 'k'], means: t`Play or pause` },
  { keys: ['←', '→'], means: t`Back or forward 5 seconds` },
  { keys: ['j', 'l'], means: t`Back or forward 10 seconds` },
  { keys: ['n', 'p'], means: t`Next or previous track` },
  { keys: ['1', '9'], between: t`to`, means: t`Jump to 10% to 90% of the track` },
];

export interface KeysDialogProps {
  hasPicture: boolean;
  /** This tab has the host's keys. */
  canLead: boolean;
  onClose: () => void;
}

export function KeysDialog({ hasPicture, canLead, onClose }: KeysDialogProps) {
  const owns = [...own, ...(hasPicture ? [picture] : []), help];
  const lists = (
    <>
      {canLead ? (
        <Keys rows={[...leading, ...owns]} />
      ) : (
        <>
          <h3>{t`Yours`}</h3>
          <Keys rows={owns} />
          <h3>{t`Only the host’s`}</h3>
          <Keys rows={leading} />
        </>
      )}
      <p className="meta">{t`They do nothing while you type. Letters and digits can be switched off in your account.`}</p>
    </>
  );
  return (
    <ModalCard title={t`Keys`} onCancel={onClose} body={<div className={styles.lists}>{lists}</div>}>
      <Button data-first-focus onClick={onClose}>
        {t`Close`}
      </Button>
    </ModalCard>
  );
}

function Keys({ rows }: { rows: readonly Row[] }) {
  return (
    <dl className={styles.keys}>
      {rows.map(({ keys, between = '', means }) => (
        <div key={means}>
          <dt>
            {keys.map((key, index) => (
              <span key={key}>
                {index > 0 && <span>{` ${between} `}</span>}
                <kbd>{key}</kbd>
              </span>
            ))}
          </dt>
          <dd>{means}</dd>
        </div>
      ))}
    </dl>
  );
}
