import { describe, expect, test } from 'vitest';
import { createFakePlayer } from '../../../testing/fake-player.ts';
import { sourceOf, SourcePlayer, RelayPlayer } from './source-player.ts';
import { track } from '../../../testing/playback-fixtures.ts';
import { manualTimer } from '../../../testing/connection-fixtures.ts';

describe('the player over several sources', () => {
  test('gives library tracks to one player and all others to the other, and unloads the inactive one', () => {
    const library = createFakePlayer();
    const youtube = createFakePlayer();
    const player = new SourcePlayer({ library: () => library, youtube: () => youtube });
    player.setLoudness({ volume: 0.5, isMuted: false });
    player.load(track('a').videoId, 0);
    player.load('dQw4w9WgXcQ', 5);
    expect(library.commands).toEqual([`load ${track('a').videoId}`, 'unload']);
    expect(youtube.commands).toEqual(['load dQw4w9WgXcQ']);
    expect(youtube.loudness()).toEqual({ volume: 0.5, isMuted: false });
    expect(sourceOf('lib_0123456789abcdef')).toBe('library');
  });

  test('forwards events of the active player only', () => {
    const library = createFakePlayer();
    const youtube = createFakePlayer();
    const player = new SourcePlayer({ library: () => library, youtube: () => youtube });
    player.load(track('a').videoId, 0);
    player.load('dQw4w9WgXcQ', 5);
    const heard: string[] = [];
    player.subscribe(({ type }) => heard.push(type));
    library.emit({ type: 'ended' });
    youtube.emit({ type: 'blocked' });
    expect(heard).toEqual(['blocked']);
  });
});

/** Two alternating players; both are fakes of the test. */
describe('a player that loads the next track besides the playing one', () => {
  function relay() {
    const [first, second] = [createFakePlayer(), createFakePlayer()];
    const timer = manualTimer();
    const turns = ['first'];
    const onTurn = (active: unknown) => void (turns[0] = active === first ? 'first' : 'second');
    const player = new RelayPlayer(first, second, { schedule: timer.schedule, onTurn });
    const events: string[] = [];
    player.subscribe(({ type }) => events.push(type));
    player.load('a', 0);
    player.play();
    first.become({ phase: 'playing', positionSeconds: 100 });
    return { player, first, second, timer, turns, events };
  }

  test('the next track loads silently, and the ending one plays to its end', () => {
    const { player, first, second, turns } = relay();
    player.prepare('b');
    expect(second.commands.slice(1)).toEqual(['load b']);
    player.load('b', 0, true);
    expect(player.snapshot()).toMatchObject({ phase: 'paused', positionSeconds: 0 });
    expect([first.snapshot().phase, second.commands.slice(1), turns]).toEqual(['playing', ['load b'], ['first']]);
    player.play();
    expect([first.snapshot().phase, turns]).toEqual(['playing', ['first']]);
    second.become({ phase: 'playing' });
    expect([first.snapshot().phase, turns]).toEqual(['playing', ['second']]);
    first.emit({ type: 'ended' });
    expect([first.snapshot().phase, second.snapshot().phase]).toEqual(['empty', 'playing']);
  });

  test('the end of the previous track is not the end of the waiting one', () => {
    const { player, first, events } = relay();
    player.prepare('b');
    player.load('b', 0, true);
    first.emit({ type: 'ended' });
    expect(events).not.toContain('ended');
  });

  test('a file longer than expected stops shortly after the next one plays', () => {
    const { player, first, second, timer } = relay();
    player.prepare('b');
    player.load('b', 0, true);
    player.play();
    second.become({ phase: 'playing' });
    timer.pass(100);
    expect(first.snapshot().phase).toBe('playing');
    timer.pass(100);
    expect(first.snapshot().phase).toBe('empty');
  });

  test('a track chosen in the middle starts at once on the player that has loaded it', () => {
    const { player, first, second } = relay();
    player.prepare('b');
    player.load('b', 0);
    expect([first.snapshot().phase, second.commands.slice(1)]).toEqual(['empty', ['load b']]);
  });

  test('another track than the prepared one replaces it', () => {
    const { player, first, second } = relay();
    player.prepare('b');
    player.load('c', 7);
    expect([first.commands.at(-1), second.commands.at(-1)]).toEqual(['load c', 'unload']);
    expect(player.snapshot().positionSeconds).toBe(7);
  });

  test('the ending track is heard while the next one is cued', () => {
    const { player, first, second } = relay();
    player.prepare('b');
    player.load('b', 0, true);
    player.seek(0.2);
    expect([first.snapshot().phase, second.snapshot().positionSeconds]).toEqual(['playing', 0.2]);
  });

  test.each(['pause', 'unload'] as const)('%s also silences the ending track', (command) => {
    const { player, first } = relay();
    player.prepare('b');
    player.load('b', 0, true);
    player[command]();
    expect(first.snapshot().phase).toBe('empty');
  });

  test('a prepared track that failed to load is loaded again when it is due', () => {
    const { player, second } = relay();
    player.prepare('b');
    second.fail('network');
    player.load('b', 0);
    expect(player.snapshot().phase).toBe('paused');
  });

  test('where the browser lets only the tapped player sound, that one plays the next track, and they no longer alternate', () => {
    const { player, first, second, events, turns } = relay();
    player.prepare('b');
    player.load('b', 0, true);
    player.play();
    second.emit({ type: 'blocked' });
    expect([first.commands.at(-1), second.commands.at(-1), turns.at(-1)]).toEqual(['load b', 'unload', 'first']);
    expect(events).not.toContain('blocked');
    player.prepare('c');
    expect(second.commands.at(-1)).toBe('unload');
  });
});
