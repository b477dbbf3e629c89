/** The sidebar in wide view: a tab for each panel, with its count. A press opens the sidebar with that panel. */
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { WideIcon } from '../../ui/icons/marks.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useReadable } from '../../store/use-readable.ts';
import type { RoomPanel } from '../panels.tsx';
import { useUnseen } from '../chat/RoomChat.tsx';
import type { RoomView } from '../visit/visit.ts';
import type { Sidebar } from './sidebar.ts';
import styles from './SidebarTabs.module.css';
import type { Elements } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

interface SidebarTabsProps extends Pick<RoomView, 'visit' | 'state' | 'parts' | 'self'> {
  panels: readonly RoomPanel[];
  sidebar: Pick<Sidebar, 'open' | 'panels' | 'setWideView'>;
}

export function SidebarTabs({ visit, state: { room }, parts, self, panels, sidebar }: SidebarTabsProps) {
  const counts = {
    waiting: useReadable(visit.requests.state).pending.length,
    people: room.people,
    // Messages since the wide view began.
    unseen: useUnseen(parts.chat, room.participants, self.uid, false).messages,
  };
  return (
    <div className={styles.tabs}>
      <IconButton label={t`Leave wide view`} icon={<WideIcon />} onClick={() => sidebar.setWideView(false)} />
      {panels
        .toSorted((one, other) => one.turn - other.turn)
        .map(({ id, tab }) => {
          if (!tab) return null;
          const count = tab.count ? counts[tab.count] : 0;
          if (tab.look === 'urgent' && count === 0) return null;
          return <Tab key={id} {...tab} count={count} onPress={() => sidebar.open(id)} />;
        })}
    </div>
  );
}

interface TabProps {
  label: string;
  icon: Elements;
  count: number;
  look?: 'urgent' | 'fresh';
  onPress: () => void;
}

function Tab({ label, icon, count, look, onPress }: TabProps) {
  const counted = look === 'fresh' ? t`${label}, ${count} new` : t`${label}, ${count}`;
  return (
    <IconButton
      label={count > 0 ? counted : label}
      className={classNames(styles.tab, look === 'urgent' && styles.urgent)}
      icon={
        <>
          {icon}
          {count > 0 && (
            <span className={classNames(styles.count, look === 'fresh' && styles.fresh)}>
              {count > 99 ? '99+' : count}
            </span>
          )}
        </>
      }
      onClick={onPress}
    />
  );
}
