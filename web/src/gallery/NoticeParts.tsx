/* Modals, toasts, banner, popup, and the states of waiting and emptiness. */
import { useState } from 'react';
import { useModals } from '../ui/dialogs/modals.ts';
import { Button } from '../ui/keys/Button.tsx';
import { Spindle } from '../ui/keys/Spindle.tsx';
import { SkeletonRows } from '../ui/lists/Skeleton.tsx';
import { Banner, type BannerContent } from '../ui/notices/Banner.tsx';
import { EmptyState } from '../ui/notices/EmptyState.tsx';
import { LoadingScreen } from '../ui/notices/LoadingScreen.tsx';
import { Note } from '../ui/notices/Note.tsx';
import { Popup } from '../ui/notices/Popup.tsx';
import { useToast } from '../ui/notices/toasts.ts';
import { Sleeve } from '../ui/records/Sleeve.tsx';
import { Vinyl } from '../ui/records/Vinyl.tsx';
import { classNames } from '../ui/class-names.ts';
import { PEOPLE } from './people.ts';
import styles from './gallery.module.css';

/** Everything that speaks up. */
export function NoticeParts() {
  const modals = useModals();
  const toast = useToast();
  const [answer, setAnswer] = useState('No answer yet');
  const [banner, setBanner] = useState<BannerContent | null>(null);
  const [popup, setPopup] = useState(false);
  const remove = {
    question: 'Remove Ada Okafor?',
    consequence: 'You leave each other’s tunemates.',
    action: 'Remove',
    danger: true,
  };
  const ask = async () => setAnswer((await modals.confirm(remove)) ? 'Removed' : 'Kept');
  const ended = async () => {
    const art = <Sleeve code="7F3A9C" size="116px" peek={0.8} record={<Vinyl pressed />} />;
    await modals.ok('This Tunemate Room is ended by the host', { art });
    setAnswer('Acknowledged');
  };
  return (
    <section>
      <h2>Modals, notices, states</h2>
      <div className={styles.grid}>
        <div className={classNames(styles.box, styles.flow)}>
          <Button onClick={() => void ask()}>Confirm</Button>
          <Button onClick={() => void ended()}>Message</Button>
          <Button onClick={() => toast('Room Code copied to clipboard!')}>Toast</Button>
          <Button
            onClick={() => setBanner({ key: String(Date.now()), caption: 'New Join Request from', person: PEOPLE[1] })}
          >
            Banner
          </Button>
          <Button onClick={() => setPopup(true)}>Popup</Button>
          <p>{answer}</p>
        </div>
        <div className={styles.box}>
          <Note tone="bad">Signup failed: Email already in use</Note>
          <Note tone="good">Saved</Note>
          <p className={styles.flow}>
            <Spindle /> Searching...
          </p>
        </div>
        <div className={styles.box} data-band="marigold">
          <LoadingScreen fill={false} />
        </div>
        <div className={styles.box}>
          <EmptyState message="No private chats yet." hint="Open a tunemate and press Chat." />
        </div>
        <div className={styles.box}>
          <SkeletonRows rows={2} />
        </div>
      </div>
      <Banner content={banner} onEnd={() => setBanner(null)} />
      {popup && <Popup message="Chatbot coming soon..." onDismiss={() => setPopup(false)} />}
    </section>
  );
}
