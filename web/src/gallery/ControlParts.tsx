/* Buttons, keys and fields. */
import { useState } from 'react';
import { CodeField } from '../ui/fields/CodeField.tsx';
import { PasswordField } from '../ui/fields/PasswordField.tsx';
import { SearchField } from '../ui/fields/SearchField.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { BellIcon, CloseIcon, CopyIcon, HeadphonesIcon, ScreenIcon } from '../ui/icons/icons.tsx';
import { Badge } from '../ui/keys/Badge.tsx';
import { Button } from '../ui/keys/Button.tsx';
import { ButtonLink } from '../ui/keys/ButtonLink.tsx';
import { IconButton } from '../ui/keys/IconButton.tsx';
import { SegmentedToggle } from '../ui/keys/SegmentedToggle.tsx';
import { Switch } from '../ui/keys/Switch.tsx';
import { classNames } from '../ui/class-names.ts';
import styles from './gallery.module.css';

/** Buttons in all variants. */
export function ButtonParts() {
  const [on, setOn] = useState(true);
  const [view, setView] = useState<'video' | 'audio'>('video');
  const flow = classNames(styles.box, styles.flow);
  return (
    <section>
      <h2>Buttons</h2>
      <div className={styles.grid}>
        <div className={flow}>
          <Button variant="primary">Rest</Button>
          <Button variant="primary" disabled>
            Disabled
          </Button>
          <Button variant="primary" busy>
            Busy
          </Button>
          <Button variant="primary" small>
            Accept
          </Button>
        </div>
        <div className={flow}>
          <Button icon={<CopyIcon />}>Copy Code</Button>
          <Button variant="ghost">Ghost</Button>
          <Button variant="danger">Leave</Button>
          <Button variant="dangerFill">Remove</Button>
          <ButtonLink href="/nowhere" icon={<BellIcon />} endIcon={<Badge count={3} words="new" />}>
            Notifications
          </ButtonLink>
        </div>
        <div className={classNames(flow, styles.onInk)}>
          <Button variant="ink">Ink</Button>
          <Button variant="inkLine">Ink line</Button>
        </div>
        <div className={flow}>
          <IconButton label="Close" icon={<CloseIcon />} />
          <SegmentedToggle
            label="View"
            value={view}
            onChange={setView}
            segments={[
              { value: 'video', label: 'Video', name: 'Video view', icon: <ScreenIcon /> },
              { value: 'audio', label: 'Audio only', name: 'Audio only view', icon: <HeadphonesIcon /> },
            ]}
          />
          <Switch label="Follow the system theme" checked={on} onChange={setOn} />
        </div>
      </div>
    </section>
  );
}

/** Fields at rest and in error. */
export function FieldParts() {
  const [code, setCode] = useState('7F3A');
  const [query, setQuery] = useState('');
  return (
    <section>
      <h2>Fields</h2>
      <div className={styles.grid}>
        <div className={styles.box}>
          <TextField label="Room name" placeholder="Friday Slow Burn" />
          <TextField label="With a hint" hint="Everyone in the room sees it." defaultValue="Mara" />
        </div>
        <div className={styles.box}>
          <TextField label="Error" error="Please enter a Room Name" />
          <PasswordField label="Password" defaultValue="slowburn7" autoComplete="current-password" />
        </div>
        <div className={styles.box}>
          <CodeField label="Room code" placeholder="ROOM123" value={code} onChange={setCode} />
          <SearchField
            label="Search videos"
            placeholder="Search YouTube"
            action="Search"
            value={query}
            onChange={setQuery}
            onSearch={() => setQuery('')}
          />
        </div>
      </div>
    </section>
  );
}
