/** What the user's rooms have played, one row for each; the tracks of one are loaded when it is opened. */
import type { EndedRoom, PlayedTrack, RoomHistory } from '@tunemate/protocol';
import { useCallback, useEffect, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { dayLabel } from '../../words/dates.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import { asking } from '../../store/asking.ts';
import { useBusy } from '../../store/use-busy.ts';
import { type Now, useNow } from '../../store/use-now.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { tileCode } from '../../ui/records/tile-code.ts';
import { ExpandableRow } from '../../ui/lists/ExpandableRow.tsx';
import { List } from '../../ui/lists/List.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { factsOf } from '../room-kinds.ts';
import { beforeWords, historyWords, sinceWhen } from './history-words.ts';
import { PlayedList } from './PlayedList.tsx';
import { t } from '../../language/t.ts';

interface HistoriesProps {
  /** Those of them that the user may open again. */
  ended: readonly EndedRoom[];
  onOpenAgain: (room: EndedRoom) => Promise<void>;
}

export function Histories({ ended, onOpenAgain }: HistoriesProps) {
  const { connection, serverNowMs } = useApp();
  const nowMs = useNow(serverNowMs);
  const [histories, setHistories] = useState<readonly RoomHistory[]>([]);
  const [openId, setOpenId] = useState<string | null>(null);
  useEffect(() => {
    return asking(
      (signal) => connection.requestUntilAnswered('rooms/histories', {}, { signal }),
      (answer) => {
        if (answer.ok) setHistories(answer.value.histories);
      },
    );
  }, [connection]);
  if (histories.length === 0) return null;
  return (
    <Section title={historyWords.title} count={histories.length} flush>
      <List label={historyWords.title}>
        {histories.map((history) => (
          <li key={history.roomId}>
            <ExpandableRow
              lead={<Sleeve code={history.code ?? tileCode(history.roomId)} size="44px" />}
              title={history.name}
              detail={historyDetail(history, nowMs)}
              open={openId === history.roomId}
              onToggle={() => setOpenId(openId === history.roomId ? null : history.roomId)}
            >
              <History
                history={history}
                ended={ended.find(({ roomId }) => roomId === history.roomId)}
                onOpenAgain={onOpenAgain}
                onDeleted={() => setHistories((now) => now.filter((each) => each.roomId !== history.roomId))}
              />
            </ExpandableRow>
          </li>
        ))}
      </List>
    </Section>
  );
}

/** 'Yesterday · 14 tracks since 20:10' */
const historyDetail = ({ tracks, from, to }: RoomHistory, nowMs: Now): string =>
  `${dayLabel(to, nowMs)} · ${sinceWhen(tracks, from, nowMs)}`;

interface HistoryProps extends Pick<HistoriesProps, 'onOpenAgain'> {
  history: RoomHistory;
  ended: EndedRoom | undefined;
  onDeleted: () => void;
}

function History({ history, ended, onOpenAgain, onDeleted }: HistoryProps) {
  const { roomId, kind, name } = history;
  const { connection } = useApp();
  const modals = useModals();
  const answerOf = useAnswerOf();
  const { isBusy, run } = useBusy();
  const [tracks, setTracks] = useState<readonly PlayedTrack[] | null>(null);
  const ask = useCallback(
    (before?: number) => connection.request('rooms/history', { roomId, ...(before !== undefined && { before }) }),
    [connection, roomId],
  );
  useEffect(() => {
    return asking(
      (signal) => connection.requestUntilAnswered('rooms/history', { roomId }, { signal }),
      (answer) => setTracks(answer.ok ? answer.value.tracks : []),
    );
  }, [connection, roomId]);

  async function forget(): Promise<void> {
    const isSure = await modals.confirm({
      question: historyWords.forgetQuestion(name),
      consequence: t`From your own list only. Others keep theirs.`,
      action: historyWords.forget,
      danger: true,
      band: factsOf(kind).ink,
    });
    if (isSure && (await answerOf(connection.request('rooms/forgetHistory', { roomId })))) onDeleted();
  }

  if (tracks === null) return null;
  return (
    <PlayedList tracks={tracks} total={history.tracks} ask={ask}>
      {ended && (
        <Button small busy={isBusy} onClick={() => run(() => onOpenAgain(ended))}>
          {beforeWords.openAgain}
        </Button>
      )}
      <Button variant="danger" small busy={isBusy} onClick={() => run(forget)}>
        {historyWords.forget}
      </Button>
    </PlayedList>
  );
}
