/** One private conversation. Its messages are not there yet; who it is with is known when they are a tunemate. */
import { useApp } from '../../app-context.ts';
import { chatWords } from '../../copy/people.ts';
import type { ScreenProps } from '../../routes.tsx';
import { useReadable } from '../../store/use-readable.ts';
import { AppFrame } from '../../ui/frame/AppFrame.tsx';
import { ListPage } from '../../ui/frame/ListPage.tsx';
import { BackIcon } from '../../ui/icons/icons.tsx';
import { ButtonLink } from '../../ui/keys/ButtonLink.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';

export function ChatScreen({ params }: ScreenProps) {
  const app = useApp();
  const tunemates = useReadable(app.tunemates.tunemates);
  const soulmate = useReadable(app.soulmate.soulmate);
  const known = [...(soulmate.status === 'bound' ? [soulmate.soulmate] : []), ...(tunemates ?? [])];
  const name = known.find(({ uid }) => uid === params['uid'])?.name ?? chatWords.conversationTitle;
  return (
    <AppFrame band="celadon" title={chatWords.bandTitle}>
      <ListPage
        title={name}
        action={
          <ButtonLink href="/chats" variant="ghost" icon={<BackIcon size={18} />}>
            {chatWords.back}
          </ButtonLink>
        }
      >
        <EmptyState tall message={chatWords.notYet} />
      </ListPage>
    </AppFrame>
  );
}
