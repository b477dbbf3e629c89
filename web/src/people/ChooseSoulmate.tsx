/** The choice of a tunemate as soulmate. Tunemates with a soulmate are listed but disabled. */
import type { Uid } from '@tunemate/protocol';
import { useEffect, useState } from 'react';
import { useApp } from '../app-context.ts';
import { useAnswerOf } from '../words/use-answer-of.ts';
import { soulmateWords, soulmateInstead } from '../soulmate/soulmate-words.ts';
import { useBusy } from '../store/use-busy.ts';
import { useReadable } from '../store/use-readable.ts';
import { placeOf } from '../tunemates/tunemate-words.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { ModalCard } from '../ui/dialogs/ModalCard.tsx';
import { useToast } from '../ui/feedback/toasts.ts';
import { Choices } from '../ui/fields/Choices.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { t } from '../language/t.ts';

export function ChooseSoulmate({ onClose }: { onClose: () => void }) {
  const { soulmate, tunemates } = useApp();
  const answerOf = useAnswerOf({ failed: soulmateWords.failed, instead: soulmateInstead, band: 'blush' });
  const toast = useToast();
  const { isBusy, run } = useBusy();
  const asked = useReadable(soulmate.asked);
  const taken = useTaken();
  const [chosen, setChosen] = useState<Uid | null>(null);
  const mates = (useReadable(tunemates.tunemates) ?? []).toSorted(
    (one, other) => Number(other.presence.state === 'online') - Number(one.presence.state === 'online'),
  );
  const choices = mates.map(({ uid, name, presence, metIn }) => {
    const whyNot = taken.includes(uid)
      ? t`Has a soulmate`
      : asked.some((one) => one.uid === uid)
        ? soulmateWords.isAsked
        : null;
    return {
      value: uid,
      lead: <Avatar id={uid} name={name} badge={presence.state} badgeIsNamed />,
      title: name,
      detail: whyNot ?? `${presence.state === 'online' ? t`Online` : t`Offline`}, ${placeOf(metIn)}`,
      disabled: whyNot !== null,
    };
  });
  const free = choices.filter(({ disabled }) => !disabled);
  // A single candidate needs no choice.
  const picked = free.length === 1 ? free[0] : free.find(({ value }) => value === chosen);

  async function ask(uid: Uid): Promise<void> {
    if (await answerOf(soulmate.ask(uid).finally(onClose))) toast(t`Invitation sent!`);
  }

  return (
    <ModalCard
      title={soulmateWords.question}
      text={mates.length === 0 ? soulmateWords.noTunemates : soulmateWords.consequence}
      band="blush"
      onCancel={onClose}
      body={
        mates.length > 0 && (
          <Choices
            label={soulmateWords.question}
            choices={choices}
            value={picked?.value ?? null}
            onChange={setChosen}
          />
        )
      }
    >
      <Button data-first-focus onClick={onClose}>
        {t`Cancel`}
      </Button>
      {mates.length > 0 && (
        <Button
          variant="primary"
          busy={isBusy}
          disabled={picked === undefined}
          onClick={() => picked && run(() => ask(picked.value))}
        >
          {picked ? `${soulmateWords.askNobody} ${picked.title.split(' ')[0]}` : soulmateWords.askNobody}
        </Button>
      )}
    </ModalCard>
  );
}

/** Fetched once: the server rejects a request to a user who found a soulmate since. */
function useTaken(): readonly Uid[] {
  const { soulmate } = useApp();
  const [taken, setTaken] = useState<readonly Uid[]>([]);
  useEffect(() => {
    let isGone = false;
    void soulmate.taken().then((answer) => {
      if (answer.ok && !isGone) setTaken(answer.value.uids);
    });
    return () => {
      isGone = true;
    };
  }, [soulmate]);
  return taken;
}
