/** For the host: the people to whom the remote is lent, and a key to take it back from each. */
import type { RoomDocument } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { List } from '../../ui/lists/List.tsx';
import { Row } from '../../ui/lists/Row.tsx';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import { factsOf } from '../room-kinds.ts';
import { nameIn } from './remote-words.ts';
import { t } from '../../language/t.ts';

export function LentTo({ room }: { room: RoomDocument }) {
  const { connection } = useApp();
  const { kind, code, remoteHolders } = room;
  const answerOf = useAnswerOf({ band: factsOf(kind).ink });
  if (remoteHolders.length === 0) return null;
  return (
    <section aria-label={t`Lent to`}>
      <h3 className="meta">{t`Lent to`}</h3>
      <List>
        {remoteHolders.map((uid) => {
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
  );
}
