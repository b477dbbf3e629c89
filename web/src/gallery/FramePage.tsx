/* Whole frames with sample content, to see the layouts at every width. */
import { useState } from 'react';
import { CodeField } from '../ui/fields/CodeField.tsx';
import { Form } from '../ui/fields/Form.tsx';
import { SearchField } from '../ui/fields/SearchField.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { AppFrame } from '../ui/frame/AppFrame.tsx';
import { ListPage } from '../ui/frame/ListPage.tsx';
import { Poster } from '../ui/frame/Poster.tsx';
import { RoomHead } from '../ui/frame/RoomHead.tsx';
import { RoomLayout } from '../ui/frame/RoomLayout.tsx';
import { TaskPage } from '../ui/frame/TaskPage.tsx';
import { Drawer } from '../ui/dialogs/Drawer.tsx';
import { MenuIcon } from '../ui/icons/icons.tsx';
import { PlayIcon } from '../ui/icons/marks.tsx';
import { Button } from '../ui/keys/Button.tsx';
import { ButtonGroup } from '../ui/keys/ButtonGroup.tsx';
import { IconButton } from '../ui/keys/IconButton.tsx';
import { List } from '../ui/lists/List.tsx';
import { MediaCard } from '../ui/lists/MediaCard.tsx';
import { MediaCards } from '../ui/lists/MediaCards.tsx';
import { MediaRow } from '../ui/lists/MediaRow.tsx';
import { Row } from '../ui/lists/Row.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { Banner } from '../ui/notices/Banner.tsx';
import { Disc } from '../ui/records/Disc.tsx';
import { Sleeve } from '../ui/records/Sleeve.tsx';
import { Vinyl } from '../ui/records/Vinyl.tsx';
import { PEOPLE } from './people.ts';
import { SampleDeck, SampleDock, SampleSleevePlayer } from './PlayParts.tsx';
import styles from './gallery.module.css';

/** Pages: `room`, `room-search`, `room-chat`, `room-guest`, `audio`, `audio-chat`, `app`, `task`, `auth`. */
export function FramePage({ page }: { page: string }) {
  if (page.startsWith('room') || page.startsWith('audio')) return <SampleRoom page={page} />;
  if (page === 'task') return <SampleTask />;
  if (page === 'auth') return <SampleAuth />;
  return <SampleApp />;
}

const nothing = () => undefined;

function SampleRoom({ page }: { page: string }) {
  const isAudio = page.startsWith('audio');
  const isGuest = page.endsWith('guest');
  const [chatOpen, setChatOpen] = useState(page.endsWith('chat'));
  const [query, setQuery] = useState('night bus');
  return (
    <RoomLayout
      band={isAudio ? 'marigold' : 'persimmon'}
      code={isAudio ? 'B04E21' : '7F3A9C'}
      codeLabel="Room code"
      railLabel="Room"
      searchPlace={isAudio ? 'stage' : 'rail'}
      header={
        <RoomHead
          title={isAudio ? 'Kitchen Radio' : 'Friday Slow Burn'}
          label="You (Host)"
          code={isAudio ? 'B04E21' : '7F3A9C'}
          codeLabel="Room code"
          action="Leave"
          onAction={nothing}
        />
      }
      playerIsPicture={!isAudio}
      player={isAudio ? <SampleSleevePlayer compact={chatOpen} /> : <span className={styles.picture} />}
      deck={!isAudio && <SampleDeck guest={isGuest} />}
      pending={!isGuest && <SamplePending />}
      search={
        !isGuest && (
          <SearchField
            label="Search videos"
            placeholder="Search YouTube"
            action="Search"
            value={query}
            onChange={setQuery}
            onSearch={nothing}
          />
        )
      }
      results={page.endsWith('search') && <SampleResults />}
      queue={isAudio ? <SampleSuggestions /> : !isGuest && <SampleQueue />}
      participants={<SamplePeople />}
      chat={<SampleDock startOpen={chatOpen} onToggle={() => setChatOpen(!chatOpen)} />}
      chatOpen={chatOpen}
    />
  );
}

function SamplePending() {
  return (
    <>
      <Section title="Pending Join Requests" count={2} scroll>
        <List label="Pending Join Requests">
          {PEOPLE.slice(4, 6).map((person) => (
            <li key={person.id}>
              <Row
                lead={<Disc {...person} size="sm" />}
                title={person.name}
                trail={
                  <>
                    <Button variant="primary" small>
                      Accept
                    </Button>
                    <Button variant="danger" small>
                      Reject
                    </Button>
                  </>
                }
              />
            </li>
          ))}
        </List>
      </Section>
      <Banner content={{ key: '1', caption: 'New Join Request from', person: PEOPLE[4] }} onEnd={nothing} />
    </>
  );
}

function SamplePeople() {
  return (
    <Section title="Participants" count={PEOPLE.length} scroll>
      <List grid label="Participants">
        {PEOPLE.map((person, index) => (
          <li key={person.id}>
            <Row
              compact
              lead={<Disc {...person} size="sm" badge={index === 0 ? 'crown' : 'online'} />}
              title={person.name}
              detail={index === 0 && 'You'}
            />
          </li>
        ))}
      </List>
    </Section>
  );
}

function SampleQueue() {
  return (
    <Section title="Queue" count={3} panel>
      <List ordered label="Queue">
        <li>
          <MediaRow
            number={1}
            current
            currentLabel="Now playing"
            title="Slow Satellite (Live at the Harbour)"
            onPress={nothing}
          />
        </li>
        <li>
          <MediaRow number={2} title="The Rain Session, part two" onPress={nothing} />
        </li>
        <li>
          <MediaRow number={3} title="Left Hand Only" onPress={nothing} />
        </li>
      </List>
    </Section>
  );
}

function SampleResults() {
  return (
    <Section
      title="Search Results"
      action={
        <Button variant="ghost" small>
          Cancel
        </Button>
      }
    >
      <List label="Search Results">
        <li>
          <MediaRow
            tall
            title="Ines Calloway: Velvet Hour (Studio Take)"
            trail={<PlayIcon size={18} />}
            onPress={nothing}
          />
        </li>
        <li>
          <MediaRow
            tall
            title="Night Bus North: One Long Shot, full set with the brass section"
            trail={<PlayIcon size={18} />}
            onPress={nothing}
          />
        </li>
      </List>
    </Section>
  );
}

function SampleSuggestions() {
  return (
    <Section title="Suggested" flush>
      <MediaCards>
        {[
          'Night Bus North: One Long Shot',
          'Left Hand Only',
          'Poppy Season (official)',
          'Two Reels, No Edits',
          'The Rain Session, part two',
        ].map((title) => (
          <li key={title}>
            <MediaCard title={title} onPress={nothing} />
          </li>
        ))}
      </MediaCards>
    </Section>
  );
}

function SampleTask() {
  const [code, setCode] = useState('7F3A');
  return (
    <AppFrame band="persimmon" title="Video room">
      <TaskPage art={<Sleeve name="" code={code} peek={0.44} record={<Vinyl person={PEOPLE[0]} />} />}>
        <h1>Join a video room</h1>
        <Form onSubmit={nothing}>
          <CodeField label="Room code" placeholder="ROOM123" value={code} onChange={setCode} />
          <ButtonGroup>
            <Button variant="primary" type="submit" block>
              Join Session
            </Button>
            <Button block>Create New Room</Button>
            <Button variant="ghost" block>
              Back to Home
            </Button>
          </ButtonGroup>
        </Form>
      </TaskPage>
    </AppFrame>
  );
}

function SampleAuth() {
  return (
    <Poster line={['Same song.', 'Same second.']}>
      <h1>Welcome back</h1>
      <Form onSubmit={nothing}>
        <TextField label="Email" type="email" autoComplete="email" />
        <ButtonGroup>
          <Button variant="primary" type="submit" block>
            Sign In
          </Button>
          <Button block>Create Account</Button>
        </ButtonGroup>
      </Form>
    </Poster>
  );
}

function SampleApp() {
  const [open, setOpen] = useState(false);
  const [mara] = PEOPLE;
  return (
    <AppFrame
      band="persimmon"
      title="Tunemate"
      lead={
        <IconButton label="Menu" icon={<MenuIcon size={24} />} aria-expanded={open} onClick={() => setOpen(true)} />
      }
      sidebar={
        <Drawer
          label="Menu"
          open={open}
          onClose={() => setOpen(false)}
          head={
            <Row lead={<Disc {...mara} size="lg" badge="online" badgeIsNamed />} title={mara.name} detail="Online" />
          }
        >
          <SamplePeople />
        </Drawer>
      }
    >
      <ListPage title="Chats" action={<Button variant="ghost">Back to Home</Button>}>
        <List label="Chats" bleed>
          {PEOPLE.map((person) => (
            <li key={person.id}>
              <Row
                roomy
                href="#x"
                lead={<Disc {...person} size="lg" badge="online" />}
                title={person.name}
                detail="ok that was worth staying up for"
                when="14:32"
              />
            </li>
          ))}
        </List>
      </ListPage>
    </AppFrame>
  );
}
