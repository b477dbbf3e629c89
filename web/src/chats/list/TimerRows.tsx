/** After how many days the messages of a chat go: rows to choose from, with who set it. Loaded by a press. */
import type { ChatTimer, PairId, Uid, UserCard } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { useNow } from '../../store/use-now.ts';
import { RadioRows } from '../../ui/fields/RadioRows.tsx';
import { useChoice } from '../../ui/fields/use-choice.ts';
import { formatWhen } from '../../words/dates.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import { timerWords as words } from '../timer-words.ts';
import { t } from '../../language/t.ts';

interface TimerRowsProps {
  pairId: PairId;
  self: Uid;
  other: UserCard;
  timer: ChatTimer | undefined;
}

const choices = [null, 1, 7, 30] as const;

export function TimerRows({ pairId, self, other, timer }: TimerRowsProps) {
  const { connection, serverNowMs } = useApp();
  const nowMs = useNow(serverNowMs);
  const answerOf = useAnswerOf({ failed: t`The timer was not changed`, band: 'celadon' });
  const stored = timer?.days ?? null;
  const [chosen, choose] = useChoice(stored, (days) => {
    const asked = connection.request('chats/setTimer', { pairId, days });
    void answerOf(asked);
    return asked;
  });
  const who = (): string | undefined => {
    if (!timer) return undefined;
    const when = formatWhen(timer.at, nowMs);
    return timer.by === self ? t`Set by you, ${when}` : t`Set by ${other.name}, ${when}`;
  };
  const rows = choices.map((days) => ({
    value: String(days),
    label: words.days(days),
    detail: days === chosen && days === stored ? who() : undefined,
  }));
  const set = (value: string): void => choose(choices.find((each) => String(each) === value) ?? null);
  return (
    <>
      <RadioRows title={t`Messages go after`} rows={rows} value={String(chosen)} onChange={set} />
      <p className="meta">{words.means}</p>
    </>
  );
}
