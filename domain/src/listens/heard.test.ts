import { describe, expect, test } from 'vitest';
import { type AfterLook, type Heard, type Look, noteLook, readArtistAndTitle } from './heard.ts';

const startMs = 1_000_000;
const look = (atMs: number, more: Partial<Look> = {}): Look => ({
  ...{ room: 'audio:r', trackId: 'lib_a', durationSeconds: 60, positionSeconds: atMs / 1000 },
  ...{ nowMs: startMs + atMs, hearsSinceMs: startMs, ...more },
});

/** Looks one after another. */
function after(...looks: readonly Look[]): AfterLook {
  let heard: Heard | null = null;
  let last: AfterLook | null = null;
  for (const each of looks) {
    last = noteLook(heard, each);
    heard = last?.heard ?? heard;
  }
  return last ?? expect.fail('the last look changed nothing');
}
const every5s = (untilMs: number, more: Partial<Look> = {}) =>
  Array.from({ length: untilMs / 5000 + 1 }, (_, n) => look(n * 5000, more));

describe('a track', () => {
  test('counts once half of it was played, and only then', () => {
    expect(after(...every5s(25_000))).toMatchObject({ counts: false, isNew: false });
    expect(after(...every5s(30_000))).toMatchObject({ counts: true, heard: { begunAtMs: startMs, heardMs: 30_000 } });
    expect(after(...every5s(35_000)).counts).toBe(false);
  });

  test.each([3600, null])('of %s s counts after four minutes', (durationSeconds) => {
    expect(after(...every5s(235_000, { durationSeconds })).counts).toBe(false);
    expect(after(...every5s(240_000, { durationSeconds })).counts).toBe(true);
  });

  test('counts from its beginning, and not from the first look at it', () => {
    const late = Array.from({ length: 4 }, (_, n) => look(4000 + n * 5000, { durationSeconds: 36 }));
    expect(after(...late)).toMatchObject({ counts: true, heard: { heardMs: 19_000, begunAtMs: startMs } });
    const next = look(29_000, { trackId: 'lib_b', positionSeconds: 3 });
    expect(after(...every5s(25_000), next).heard).toMatchObject({ heardMs: 3000, begunAtMs: startMs + 26_000 });
  });

  test('that plays already when a person comes counts from then on', () => {
    const joined = look(20_000, { hearsSinceMs: startMs + 18_000 });
    expect(after(joined).heard).toMatchObject({ heardMs: 2000, begunAtMs: startMs + 18_000 });
  });

  test('does not count by a seek, while it is paused, or while the person is away', () => {
    const sought = after(look(0), look(5000, { positionSeconds: 50 }), look(10_000, { positionSeconds: 55 }));
    expect(sought.heard.heardMs).toBe(10_000);
    const paused = Array.from({ length: 100 }, (_, n) => look(n * 5000, { positionSeconds: 3 }));
    expect(after(...paused).heard.heardMs).toBe(0);
    expect(after(look(0), look(5000), look(55_000)).heard.heardMs).toBe(5000);
    expect(
      after(look(5000, { hearsSinceMs: startMs + 5000 }), look(10_000, { positionSeconds: 0 })).heard.heardMs,
    ).toBe(0);
  });

  test('that begins anew after it counted is another listen, also after a long while', () => {
    const again = after(...every5s(55_000), look(60_000, { positionSeconds: 0 }));
    expect(again).toMatchObject({ isNew: true, counts: false, heard: { begunAtMs: startMs + 60_000, heardMs: 0 } });
    expect(after(...every5s(20_000), look(25_000, { positionSeconds: 0 })).isNew).toBe(false);
    expect(after(look(0), look(40 * 60_000)).isNew).toBe(true);
  });

  test('is another one after the host chose another', () => {
    expect(after(...every5s(25_000), look(30_000, { trackId: 'lib_b' }))).toMatchObject({ isNew: true, counts: false });
  });

  test('in a second room counts only once the first was left', () => {
    const { heard } = after(...every5s(25_000));
    expect(noteLook(heard, look(26_000, { room: 'video:s' }))).toBeNull();
    expect(noteLook(heard, look(41_000, { room: 'video:s' }))).toMatchObject({ isNew: true });
  });

  test('in a second room counts also after the clock was set back by an hour', () => {
    const { heard } = after(...every5s(25_000));
    expect(noteLook(heard, look(-3_600_000, { room: 'video:s' }))).toMatchObject({ isNew: true });
    expect(noteLook(heard, look(24_000, { room: 'video:s' }))).toBeNull();
  });
});

describe('artist and title of a video', () => {
  test.each([
    ['Nina Simone - Sinnerman (Official Audio)', 'Nina Simone', 'Sinnerman'],
    ['Air – La femme d’argent [HD] (Official Video)', 'Air', 'La femme d’argent'],
    ['Björk - Jóga (Live)', 'Björk', 'Jóga (Live)'],
    ['Jay-Z - 99 Problems', 'Jay-Z', '99 Problems'],
  ])('%s', (text, artist, title) => {
    expect(readArtistAndTitle(text)).toEqual({ artist, title, album: null });
  });

  test.each(['My cat plays', 'a - b - c', ' - Title', 'Artist - ', 'Jay-Z', '(Official Video)', '', '-'])(
    'are not known of "%s"',
    (text) => expect(readArtistAndTitle(text)).toBeNull(),
  );
});
