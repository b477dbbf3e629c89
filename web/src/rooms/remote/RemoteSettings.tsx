/** Who may control what plays, for the host: a choice, and the people to whom the remote is lent. */
import type { RemoteUse, RoomDocument } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { RadioRows } from '../../ui/fields/RadioRows.tsx';
import { List } from '../../ui/lists/List.tsx';
import { Row } from '../../ui/lists/Row.tsx';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import { factsOf } from '../room-kinds.ts';
import { nameIn } from './remote-words.ts';
import { t } from '../../language/t.ts';

const uses: { value: RemoteUse; label: string; detail: string }[] = [
  { value: 'host', label: t`Only me`, detail: t`Nobody else has keys` },
  { value: 'lent', label: t`People I lend it to`, detail: t`From a person’s sheet, one by one` },
  { value: 'everyone', label: t`Everyone here`, detail: t`Everybody plays, pauses and chooses` },
];

export function RemoteSettings({ room }: { room: RoomDocument }) {
  const { connection } = useApp();
  const { kind, code, remote } = room;
  const answerOf = useAnswerOf({ band: factsOf(kind).ink });
  const holders = remote?.holders ?? [];
  return (
    <>
      <RadioRows
        title={t`Who may control`}
        rows={uses}
        value={remote?.use ?? 'host'}
        onChange={(use) => void answerOf(connection.request('rooms/setRemote', { kind, code, use }))}
      />
      {holders.length > 0 && (
        <section aria-label={t`Lent to`}>
          <h3 className="meta">{t`Lent to`}</h3>
          <List>
            {holders.map((uid) => {
              const name = nameIn(room, uid);
              const takeBack = (): void =>
                void answerOf(connection.request('rooms/lendRemote', { kind, code, uid, isLent: false }));
              return (
                <li key={uid}>
                  <Row
                    compact
                    lead={<Avatar id={uid} name={name} size="sm" />}
                    title={name}
                    trail={
                      <Button small aria-label={t`Take back from ${name}`} onClick={takeBack}>
                        {t`Take back`}
                      </Button>
                    }
                  />
                </li>
              );
            })}
          </List>
        </section>
      )}
    </>
  );
}
