/** The sidebar in wide view: a tab for each panel, with its count. A press opens the sidebar with that panel. */
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { JoinRequestIcon } from '../../ui/icons/film-icons.tsx';
import { SearchIcon } from '../../ui/icons/icons.tsx';
import { MessageIcon, PeopleIcon } from '../../ui/icons/inside-icons.tsx';
import { WideIcon } from '../../ui/icons/marks.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useUnseen } from '../chat/RoomChat.tsx';
import type { RoomView } from '../visit/visit.ts';
import type { Sidebar } from './sidebar.ts';
import styles from './SidebarTabs.module.css';
import type { Elements } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

interface SidebarTabsProps extends Pick<RoomView, 'visit' | 'state' | 'parts' | 'self'> {
  sidebar: Pick<Sidebar, 'open' | 'panels' | 'setWideView'>;
}

export function SidebarTabs({ visit, state: { room }, parts, self, sidebar }: SidebarTabsProps) {
  // Counts messages since the wide view began.
  const { messages } = useUnseen(parts.chat, room.participants, self.uid, false);
  const { people } = room;
  const waiting = useReadable(visit.requests.state).pending.length;
  return (
    <div className={styles.tabs}>
      <IconButton label={t`Leave wide view`} icon={<WideIcon />} onClick={() => sidebar.setWideView(false)} />
      {waiting > 0 && (
        <Tab
          label={t`Pending Join Requests, ${waiting}`}
          icon={<JoinRequestIcon />}
          count={waiting}
          isUrgent
          onPress={() => sidebar.open('requests')}
        />
      )}
      {sidebar.panels.search !== 'gone' && (
        <Tab label={t`Search`} icon={<SearchIcon />} onPress={() => sidebar.open('search')} />
      )}
      <Tab
        label={t`Participants, ${people}`}
        icon={<PeopleIcon />}
        count={people}
        onPress={() => sidebar.open('people')}
      />
      <Tab
        label={messages > 0 ? t`Room chat, ${messages} new` : t`Room chat`}
        icon={<MessageIcon />}
        count={messages}
        isNew
        onPress={() => sidebar.open('chat')}
      />
    </div>
  );
}

interface TabProps {
  label: string;
  icon: Elements;
  count?: number;
  isUrgent?: boolean;
  isNew?: boolean;
  onPress: () => void;
}

function Tab({ label, icon, count = 0, isUrgent, isNew, onPress }: TabProps) {
  return (
    <IconButton
      label={label}
      className={classNames(styles.tab, isUrgent && styles.urgent)}
      icon={
        <>
          {icon}
          {count > 0 && (
            <span className={classNames(styles.count, isNew && styles.fresh)}>{count > 99 ? '99+' : count}</span>
          )}
        </>
      }
      onClick={onPress}
    />
  );
}
