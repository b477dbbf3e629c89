/** Who can read what, in plain sentences. */
import { Section } from '../../ui/lists/Section.tsx';
import styles from './Account.module.css';
import { t } from '../../language/t.ts';

const sentences = [
  t`You and the other person: your private messages, until a timer or one of you deletes them.`,
  t`The people in a room: its chat, until the room ends.`,
  t`What you delete after others have received it can still be reported for a day.`,
  t`The person who runs this server can read what is stored: names, addresses, messages, pictures and voice. Passwords are not stored in a form that can be read.`,
  t`Not stored on the server: what you type before you send it, and the sound of your device.`,
];

export function WhoReads() {
  return (
    <Section title={t`Who can read what`} flush>
      {sentences.map((sentence) => (
        <p key={sentence} className={styles.hint}>
          {sentence}
        </p>
      ))}
    </Section>
  );
}
