/** The invitation in the sidebar of a room with few people: a QR code, and buttons that copy code and link. */
import type { RoomKind } from '@tunemate/protocol';
import { Button } from '../../ui/buttons/Button.tsx';
import { LinkIcon, ShareIcon } from '../../ui/icons/door-icons.tsx';
import { CopyIcon } from '../../ui/icons/page-icons.tsx';
import { CodeTiles } from './CodeTiles.tsx';
import { QrCode } from './QrCode.tsx';
import { roomLink } from '../room-kinds.ts';
import { joinWords } from './join-words.ts';
import { useCopy } from './Invite.tsx';
import roomStyles from '../visit/LiveRoom.module.css';
import styles from './Invite.module.css';
import { t } from '../../language/t.ts';

interface InviteCardProps {
  kind: RoomKind;
  code: string;
  isLocked: boolean;
}

/** Locking the room leaves the place as it is. */
export function InviteCard({ isLocked, ...room }: InviteCardProps) {
  if (isLocked) return <p className={roomStyles.locked}>{t`This room is locked. Nobody can ask to come in.`}</p>;
  return <Invitation {...room} />;
}

function Invitation({ kind, code }: Omit<InviteCardProps, 'isLocked'>) {
  const url = roomLink(kind, code);
  const copy = useCopy();
  const { copied, notCopied, linkCopied, linkNotCopied } = joinWords;
  return (
    <section className={styles.card} aria-label={t`Invite people`}>
      <div className={styles.pass}>
        <span className={styles.paper}>
          <QrCode address={url} label={t`QR code of the room’s link`} />
        </span>
        <div className={styles.words}>
          <h2>{t`Invite people`}</h2>
          <p>{t`They scan this code with a phone, or you send them the room code.`}</p>
        </div>
      </div>
      {/* Hidden, because screen readers read the code in the band. */}
      <div aria-hidden="true">
        <CodeTiles code={code} label={t`Room code`} />
      </div>
      <div className={styles.keys}>
        <Button small icon={<CopyIcon size={18} />} onClick={() => copy(code, { copied, failed: notCopied })}>
          {t`Code`}
        </Button>
        <Button
          small
          icon={<LinkIcon size={18} />}
          onClick={() => copy(url, { copied: linkCopied, failed: linkNotCopied })}
        >
          {t`Link`}
        </Button>
        {'share' in navigator && (
          // Closing the other app's sheet without sharing is no failure.
          <Button
            small
            icon={<ShareIcon size={18} />}
            onClick={() => void navigator.share({ url }).catch(() => undefined)}
          >
            {t`Share`}
          </Button>
        )}
      </div>
    </section>
  );
}
